-- As with swaps. Partitions are small, about a day, because whole ones go when attempts are not kept for ever.
CREATE TABLE IF NOT EXISTS attempts_packed (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, T64, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(T64, ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, T64, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  trader FixedString(32) CODEC(ZSTD(1)),
  side UInt8 CODEC(ZSTD(1)),
  outcome UInt8 CODEC(ZSTD(1)),
  why LowCardinality(String) CODEC(ZSTD(1)),
  error_code UInt32 CODEC(ZSTD(1)),
  program LowCardinality(FixedString(32)) CODEC(ZSTD(1)),
  router LowCardinality(FixedString(32)) CODEC(ZSTD(1)),
  other_fee_payer FixedString(32) CODEC(ZSTD(1)),
  tip UInt64 CODEC(ZSTD(1)),
  tip_wallet LowCardinality(FixedString(32)) CODEC(ZSTD(1)),
  cu_price UInt64 CODEC(T64, ZSTD(1)),
  cu_limit UInt32 CODEC(ZSTD(1)),
  priority_fee_more UInt64 CODEC(ZSTD(1)),
  budget_source UInt8 CODEC(ZSTD(1)),
  network_fee_more UInt64 CODEC(ZSTD(1)),
  fee_payer FixedString(32) ALIAS if(other_fee_payer = toFixedString('', 32), trader, other_fee_payer),
  priority_fee UInt64 ALIAS intDiv(cu_price * cu_limit, 1000000) + priority_fee_more,
  network_fee UInt64 ALIAS intDiv(cu_price * cu_limit, 1000000) + priority_fee_more + network_fee_more
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 500000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE attempts_packed;

INSERT INTO attempts_packed
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, venue, trader, side, outcome, why, error_code,
  program, router,
  if(fee_payer = trader, toFixedString('', 32), fee_payer) AS other_fee_payer,
  tip, tip_wallet, cu_price, cu_limit,
  priority_fee - intDiv(cu_price * cu_limit, 1000000) AS priority_fee_more,
  budget_source,
  network_fee - priority_fee AS network_fee_more
FROM attempts;

DROP TABLE IF EXISTS attempts_before SYNC;

RENAME TABLE attempts TO attempts_before, attempts_packed TO attempts;

DROP TABLE attempts_before SYNC;
