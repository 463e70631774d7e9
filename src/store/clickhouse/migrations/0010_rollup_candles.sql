-- Candles of priced swaps. `at` is the swap's position in one number, so that open and close do
-- not depend on the order in which blocks arrived. Rows of partial input are kept apart by
-- their slot (0 = whole blocks), so that they can be taken out when the whole block comes.
CREATE TABLE IF NOT EXISTS candles (
  mint FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  seconds UInt32 CODEC(ZSTD(1)),
  bucket DateTime('UTC') CODEC(Delta, ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  open SimpleAggregateFunction(min, Tuple(at UInt64, price Float64)) CODEC(ZSTD(1)),
  high SimpleAggregateFunction(max, Float64) CODEC(ZSTD(1)),
  low SimpleAggregateFunction(min, Float64) CODEC(ZSTD(1)),
  close SimpleAggregateFunction(max, Tuple(at UInt64, price Float64)) CODEC(ZSTD(1)),
  volume SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  trades SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (mint, quote_mint, seconds, bucket, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;
