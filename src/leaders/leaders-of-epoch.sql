-- The leaders of an epoch's schedule.
SELECT $columns
FROM epoch_leaders FINAL
WHERE epoch = {epoch:UInt32} AND schedule = {schedule:UInt64}
ORDER BY place
