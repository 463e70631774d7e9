-- Slots that were whole before a rollup had them, by rollup. They go into it in steps beside the service: `swept_slots`
-- says how far they are, and what is in no step yet is missing there. Buckets before `since` are left as they are.
CREATE TABLE IF NOT EXISTS due_slots (
  filled_table LowCardinality(String),
  first_slot UInt32,
  last_slot UInt32,
  since DateTime('UTC')
)
ENGINE = MergeTree
ORDER BY (filled_table, first_slot);

-- `filled`: of rows of a step the last slot of it, so that a step that was cut off can be taken out and done again; 0 of
-- what came with a flush.
CREATE TABLE IF NOT EXISTS fee_minutes (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  swaps SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  creator_fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  priority_fees SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  tip_swaps SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (minute, venue, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE fee_minutes;

DELETE FROM due_slots WHERE filled_table = 'fee_minutes';

DELETE FROM swept_slots WHERE swept_table = 'fee_minutes';

INSERT INTO due_slots SELECT 'fee_minutes', first_slot, last_slot, toDateTime(0, 'UTC') FROM coverage;

-- Rows of single transactions are taken out when their block comes, which the steps could not see: they go in at once.
INSERT INTO fee_minutes (minute, venue, partial_slot, swaps, fees, creator_fees, priority_fees, tip_swaps)
SELECT
  minute, tupleElement(leg, 'venue') AS venue, partial_slot, count(), sum(toUInt128(tupleElement(leg, 'fee'))),
  sum(toUInt128(tupleElement(leg, 'creator_fee'))), sum(toUInt128(if(place = 1, priority, 0))),
  countIf(tupleElement(leg, 'tipped'))
FROM (
  SELECT
    toStartOfMinute(time) AS minute,
    slot AS partial_slot,
    arraySort(groupArray(CAST(
      (
        venue,
        if(quote_mint = toFixedString('', 32) AND NOT fee_in_token, fee, 0),
        if(quote_mint = toFixedString('', 32) AND NOT fee_in_token, creator_fee, 0),
        tip > 0
      ),
      'Tuple(venue UInt8, fee UInt64, creator_fee UInt64, tipped Bool)'
    ))) AS legs,
    max(priority_fee) AS priority
  FROM swaps
  WHERE partial
  GROUP BY minute, partial_slot, block_index
)
ARRAY JOIN legs AS leg, arrayEnumerate(legs) AS place
GROUP BY minute, venue, partial_slot;

-- The same mark for what was there before, which a start that takes too long may have to fill in again.
CREATE TABLE IF NOT EXISTS venue_minutes_marked (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  buys SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  sells SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  quote_amount SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  newest SimpleAggregateFunction(max, UInt32) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (minute, venue, quote_mint, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE venue_minutes_marked;

INSERT INTO venue_minutes_marked (minute, venue, quote_mint, partial_slot, buys, sells, quote_amount, newest)
SELECT minute, venue, quote_mint, partial_slot, buys, sells, quote_amount, newest FROM venue_minutes;

DROP TABLE IF EXISTS venue_minutes_before SYNC;

RENAME TABLE venue_minutes TO venue_minutes_before, venue_minutes_marked TO venue_minutes;

DROP TABLE venue_minutes_before SYNC;
