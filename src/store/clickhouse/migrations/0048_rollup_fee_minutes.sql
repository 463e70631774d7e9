-- What swaps of a minute paid. What is there already goes in out of the swaps: a minute's are some rows.
CREATE TABLE IF NOT EXISTS fee_minutes (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  swaps SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  creator_fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  priority_fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  tip_swaps SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (minute, venue, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE fee_minutes;

INSERT INTO fee_minutes
SELECT
  toStartOfMinute(time), venue, if(partial, slot, 0) AS in_part, count(),
  sumIf(toUInt128(fee), quote_mint = toFixedString('', 32) AND NOT fee_in_token),
  sumIf(toUInt128(creator_fee), quote_mint = toFixedString('', 32) AND NOT fee_in_token),
  sumIf(toUInt128(priority_fee), network_fee > 0), countIf(tip > 0)
FROM swaps
GROUP BY toStartOfMinute(time), venue, in_part;
