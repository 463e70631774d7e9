-- Blocks and tips per minute: the tip market, and the network's fees over time.
CREATE TABLE IF NOT EXISTS block_minutes (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  blocks SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  transactions SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  failed SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  votes SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  swaps SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  attempts SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  fees SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  priority_fees SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  tips SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY minute
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS tip_minutes (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tip_wallet FixedString(32) CODEC(ZSTD(1)),
  count SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  lamports SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (minute, tip_wallet)
SETTINGS non_replicated_deduplication_window = 1000;
