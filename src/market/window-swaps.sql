-- Swaps of a span of seconds in order: of some slots, and of single transactions.
SELECT $columns
FROM swaps
WHERE slot > {after:UInt32}
  AND (slot <= {last:UInt32} OR slot IN (SELECT slot FROM partial_slots))
  AND toUInt32(time) >= {since:UInt32}
  AND toUInt32(time) < {until:UInt32}
ORDER BY slot, block_index, ix_index
