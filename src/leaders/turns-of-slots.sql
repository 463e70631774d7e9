-- The parts of schedules that slots of these chunks are in.
SELECT $columns
FROM leader_turns FINAL
WHERE chunk IN ({chunks:Array(UInt32)})
