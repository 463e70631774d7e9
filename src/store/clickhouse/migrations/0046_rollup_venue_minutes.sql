-- All swaps of a minute by venue and quote. What is there already goes in out of the swaps: a minute's are some rows.
CREATE TABLE IF NOT EXISTS venue_minutes (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  buys SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  sells SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  quote_amount SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  newest SimpleAggregateFunction(max, UInt32) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (minute, venue, quote_mint, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE venue_minutes;

INSERT INTO venue_minutes (minute, venue, quote_mint, partial_slot, buys, sells, quote_amount, newest)
SELECT
  toStartOfMinute(time), venue, quote_mint, if(partial, slot, 0) AS in_part, countIf(is_buy), countIf(NOT is_buy),
  sum(toUInt128(quote_amount)), max(slot)
FROM swaps
GROUP BY toStartOfMinute(time), venue, quote_mint, in_part;
