-- What transactions with a swap paid by slot, lamports. What is there already goes in beside the service, but for rows of
-- single transactions.
CREATE TABLE IF NOT EXISTS slot_economics (
  slot UInt32 CODEC(Delta, ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  time SimpleAggregateFunction(max, DateTime('UTC')) CODEC(Delta, ZSTD(1)),
  swaps SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  unmeasured SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  priority_fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  tips SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  vol SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (slot, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE slot_economics;

DELETE FROM due_slots WHERE filled_table = 'slot_economics';

DELETE FROM swept_slots WHERE swept_table = 'slot_economics';

INSERT INTO due_slots SELECT 'slot_economics', first_slot, last_slot, toDateTime(0, 'UTC') FROM coverage;

INSERT INTO slot_economics (slot, partial_slot, time, swaps, unmeasured, priority_fees, tips, fees, vol)
SELECT
  slot, slot, max(at), sum(legs), countIf(signed = 0),
  sum(toUInt128(if(paid > 5000 * greatest(signed, 1), paid - 5000 * greatest(signed, 1), 0))),
  sum(toUInt128(tipped)), sum(protocol_fees), sum(traded)
FROM (
  SELECT
    slot,
    max(swaps.time) AS at,
    count() AS legs,
    max(network_fee) AS paid,
    toUInt64(max(signatures)) AS signed,
    max(tip) AS tipped,
    sumIf(toUInt128(fee), quote_mint = toFixedString('', 32) AND NOT fee_in_token) AS protocol_fees,
    sumIf(toUInt128(quote_amount), quote_mint = toFixedString('', 32)) AS traded
  FROM swaps
  WHERE partial
  GROUP BY slot, block_index
)
GROUP BY slot;
