-- Reverted transactions that tried to trade, one row per transaction and mint.
CREATE TABLE IF NOT EXISTS attempts (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  trader FixedString(32) CODEC(ZSTD(1)),
  side UInt8 CODEC(ZSTD(1)),
  outcome UInt8 CODEC(ZSTD(1)),
  why LowCardinality(String) CODEC(ZSTD(1)),
  error_code UInt32 CODEC(ZSTD(1)),
  program FixedString(32) CODEC(ZSTD(1)),
  router FixedString(32) CODEC(ZSTD(1)),
  fee_payer FixedString(32) CODEC(ZSTD(1)),
  tip UInt64 CODEC(T64, ZSTD(1)),
  tip_wallet FixedString(32) CODEC(ZSTD(1)),
  cu_price UInt64 CODEC(T64, ZSTD(1)),
  cu_limit UInt32 CODEC(ZSTD(1)),
  priority_fee UInt64 CODEC(T64, ZSTD(1)),
  budget_source UInt8 CODEC(ZSTD(1)),
  network_fee UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;
