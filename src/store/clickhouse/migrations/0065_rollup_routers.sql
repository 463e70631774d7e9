-- What went through which program by minute: swaps and what they traded by venue and quote, transactions by all venues of
-- theirs (`venues`, a bit for each), and of these, by three digits (kernel/three-digits.ts), what they tipped and what they
-- bid for a compute unit. What is there already goes in beside the service, but for rows of single transactions.
CREATE TABLE IF NOT EXISTS router_minutes (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  router FixedString(32) CODEC(ZSTD(1)),
  venues UInt8 CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  swaps SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  quote_amount SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  transactions SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  tips SimpleAggregateFunction(sumMap, Tuple(Array(UInt16), Array(UInt64))) CODEC(ZSTD(1)),
  bids SimpleAggregateFunction(sumMap, Tuple(Array(UInt16), Array(UInt64))) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (minute, router, venues, venue, quote_mint, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

-- Transactions that reverted, in the same way.
CREATE TABLE IF NOT EXISTS router_reverts (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  router FixedString(32) CODEC(ZSTD(1)),
  venues UInt8 CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  transactions SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (minute, router, venues, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

-- Wallets of an hour by program and venue, as registers of a sketch, see `trader_registers`.
CREATE TABLE IF NOT EXISTS router_traders (
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  router FixedString(32) CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  register UInt16 CODEC(Delta, ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  rank SimpleAggregateFunction(max, UInt8) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (hour, router, venue, register, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE router_minutes;

TRUNCATE TABLE router_reverts;

TRUNCATE TABLE router_traders;

DELETE FROM due_slots WHERE filled_table IN ('router_minutes', 'router_reverts', 'router_traders');

DELETE FROM swept_slots WHERE swept_table IN ('router_minutes', 'router_reverts', 'router_traders');

INSERT INTO due_slots SELECT 'router_minutes', first_slot, last_slot, toDateTime(0, 'UTC') FROM coverage;

INSERT INTO due_slots SELECT 'router_reverts', first_slot, last_slot, toDateTime(0, 'UTC') FROM coverage;

INSERT INTO due_slots SELECT 'router_traders', first_slot, last_slot, toDateTime(0, 'UTC') FROM coverage;

INSERT INTO router_minutes (minute, router, venues, venue, quote_mint, partial_slot, swaps, quote_amount, transactions, tips, bids)
SELECT
  minute,
  router,
  venues,
  tupleElement(leg, 'venue') AS venue,
  tupleElement(leg, 'quote_mint') AS quote_mint,
  partial_slot,
  count(),
  sum(toUInt128(tupleElement(leg, 'amount'))),
  countIf(place = 1),
  sumMap(if(place = 1 AND tipped > 0, [tip_code], []), if(place = 1 AND tipped > 0, [toUInt64(1)], [])),
  sumMap(if(place = 1 AND is_bid, [bid_code], []), if(place = 1 AND is_bid, [toUInt64(1)], []))
FROM (
  SELECT
    toStartOfMinute(time) AS minute,
    router,
    slot AS partial_slot,
    groupBitOr(toUInt8(bitShiftLeft(toUInt8(1), venue))) AS venues,
    arraySort(groupArray(CAST(
      (venue, quote_mint, quote_amount), 'Tuple(venue UInt8, quote_mint FixedString(32), amount UInt64)'
    ))) AS legs,
    max(swaps.tip) AS tipped,
    max(venue = 0 AND budget_source != 2) AS is_bid,
    max(if(venue = 0 AND budget_source != 2, cu_price, 0)) AS bid,
    toUInt8(greatest(length(toString(tipped)), 3) - 3) AS tip_digits,
    toUInt16(tip_digits * 900 + intDiv(tipped, intExp10(tip_digits))) AS tip_code,
    toUInt8(greatest(length(toString(bid)), 3) - 3) AS bid_digits,
    toUInt16(bid_digits * 900 + intDiv(bid, intExp10(bid_digits))) AS bid_code
  FROM swaps
  WHERE partial
  GROUP BY minute, router, partial_slot, block_index
)
ARRAY JOIN legs AS leg, arrayEnumerate(legs) AS place
GROUP BY minute, router, venues, venue, quote_mint, partial_slot;

INSERT INTO router_reverts (minute, router, venues, partial_slot, transactions)
SELECT minute, router, venues, partial_slot, count()
FROM (
  SELECT
    toStartOfMinute(time) AS minute,
    router,
    slot AS partial_slot,
    groupBitOr(toUInt8(bitShiftLeft(toUInt8(1), venue))) AS venues
  FROM attempts
  WHERE partial
  GROUP BY minute, router, partial_slot, block_index
)
GROUP BY minute, router, venues, partial_slot;

INSERT INTO router_traders (hour, router, venue, register, partial_slot, rank)
WITH
  cityHash64(trader) AS hash,
  bitOr(bitShiftRight(hash, 12), bitShiftLeft(toUInt64(1), 51)) AS rest
SELECT
  toStartOfHour(time) AS hour, router, venue, toUInt16(bitAnd(hash, 4095)) AS register, slot AS partial_slot,
  max(toUInt8(bitCount(bitXor(rest, rest - 1))))
FROM swaps
WHERE partial AND NOT protocol_actor AND trader != toFixedString('', 32)
GROUP BY hour, router, venue, register, partial_slot;
