-- Leaders of schedules at some of their places.
SELECT $columns
FROM epoch_leaders FINAL
WHERE (epoch, schedule, place) IN (
  SELECT arrayJoin(arrayZip({epochs:Array(UInt32)}, {schedules:Array(UInt64)}, {places:Array(UInt16)}))
)
