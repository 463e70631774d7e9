-- The schedule of an epoch whose slots are known.
SELECT $columns
FROM leader_turns FINAL
WHERE chunk BETWEEN intDiv({first:UInt32}, 4096) AND intDiv({last:UInt32}, 4096) AND epoch = {epoch:UInt32}
