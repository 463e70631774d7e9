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
PARTITION BY toYYYYMM(minute)
ORDER BY (mint, minute, quote_mint, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS mint_minutes_view TO mint_minutes AS
SELECT
  mint,
  toStartOfMinute(time) AS minute,
  quote_mint,
  if(partial, slot, 0) AS partial_slot,
  countIf(is_buy) AS buys,
  countIf(NOT is_buy) AS sells,
  sumIf(toUInt128(quote_amount), is_buy) AS buy_quote,
  sumIf(toUInt128(quote_amount), NOT is_buy) AS sell_quote
FROM swaps
GROUP BY mint, minute, quote_mint, partial_slot;
