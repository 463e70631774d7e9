-- What lists say of a token's last minutes, counted over every swap.
CREATE TABLE IF NOT EXISTS mint_minutes (
  mint FixedString(32) CODEC(ZSTD(1)),
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  buys SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  sells SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  buy_quote SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  sell_quote SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (mint, minute, quote_mint, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;
