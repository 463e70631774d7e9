-- One row per token that traded: its first and last swap, and its last priced one (`at` 0 when it
-- has none). Small enough to be sorted whole by last trade.
CREATE TABLE IF NOT EXISTS token_latest (
  mint FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  first_trade SimpleAggregateFunction(min, Tuple(at UInt64, time DateTime('UTC'))) CODEC(ZSTD(1)),
  last_trade SimpleAggregateFunction(max, Tuple(at UInt64, time DateTime('UTC'))) CODEC(ZSTD(1)),
  last_priced SimpleAggregateFunction(max, Tuple(
    at UInt64,
    time DateTime('UTC'),
    price_quote UInt64,
    price_token UInt64,
    quote_mint FixedString(32),
    quote_decimals UInt8,
    token_decimals UInt8
  )) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (mint, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;
