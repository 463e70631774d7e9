-- Transactions that tipped another wallet of the same provider before: 0 in rows from before this migration.
ALTER TABLE slot_tips ADD COLUMN IF NOT EXISTS repeated UInt32 CODEC(ZSTD(1)) AFTER count;

ALTER TABLE tip_minutes
  ADD COLUMN IF NOT EXISTS repeated SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)) AFTER count;
