-- The first slots whose blocks are no older than some times; none of them is newer than the mark.
SELECT
  toUInt32(minIf(slot, toUInt32(time) >= {window:UInt32})) AS window_slot,
  toUInt32(minIf(slot, toUInt32(time) >= {hour:UInt32})) AS hour_slot,
  toUInt32(minIf(slot, toUInt32(time) >= {launches:UInt32})) AS launches_slot,
  toUInt32(minIf(slot, toUInt32(time) >= {running:UInt32})) AS running_slot
FROM blocks
WHERE slot BETWEEN {from_slot:UInt32} AND {mark:UInt32}
