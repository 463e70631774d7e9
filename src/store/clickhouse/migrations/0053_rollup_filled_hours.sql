-- Volumes of tokens by hour and wallets by hour are filled in beside the service as well: `filled` as in `fee_minutes`. What
-- a store had filled at once is copied; where it has nothing of whole blocks, all that is whole is due.
CREATE TABLE IF NOT EXISTS mint_hours_marked (
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  swaps SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  volume SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  highest SimpleAggregateFunction(max, Tuple(
    price Float64,
    before UInt64,
    price_quote UInt64,
    price_token UInt64,
    token_decimals UInt8
  )) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (hour, mint, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE mint_hours_marked;

INSERT INTO mint_hours_marked (hour, mint, partial_slot, swaps, volume, highest)
SELECT hour, mint, partial_slot, swaps, volume, highest FROM mint_hours;

DROP TABLE IF EXISTS mint_hours_before SYNC;

RENAME TABLE mint_hours TO mint_hours_before, mint_hours_marked TO mint_hours;

DROP TABLE mint_hours_before SYNC;

CREATE TABLE IF NOT EXISTS trader_registers_marked (
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  register UInt16 CODEC(Delta, ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  rank SimpleAggregateFunction(max, UInt8) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (hour, register, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE trader_registers_marked;

INSERT INTO trader_registers_marked (hour, register, partial_slot, rank)
SELECT hour, register, partial_slot, rank FROM trader_registers;

DROP TABLE IF EXISTS trader_registers_before SYNC;

RENAME TABLE trader_registers TO trader_registers_before, trader_registers_marked TO trader_registers;

DROP TABLE trader_registers_before SYNC;

INSERT INTO due_slots
SELECT 'mint_hours', first_slot, last_slot, toDateTime(0, 'UTC')
FROM coverage
WHERE (SELECT count() FROM (SELECT 1 FROM mint_hours WHERE partial_slot = 0 LIMIT 1)) = 0
  AND 'mint_hours' NOT IN (SELECT filled_table FROM due_slots);

INSERT INTO due_slots
SELECT 'trader_registers', first_slot, last_slot, toDateTime(0, 'UTC')
FROM coverage
WHERE (SELECT count() FROM (SELECT 1 FROM trader_registers WHERE partial_slot = 0 LIMIT 1)) = 0
  AND 'trader_registers' NOT IN (SELECT filled_table FROM due_slots);

INSERT INTO due_slots
SELECT 'venue_minutes', first_slot, last_slot, toDateTime(0, 'UTC')
FROM coverage
WHERE (SELECT count() FROM (SELECT 1 FROM venue_minutes WHERE partial_slot = 0 LIMIT 1)) = 0
  AND 'venue_minutes' NOT IN (SELECT filled_table FROM due_slots);
