-- Positions by wallet with the slot of the first trade of each: whether a wallet had traded up to a slot is then told without a
-- look at each of its positions. Its marks are eight times as close, since wallets are asked for by the hundred, and each costs
-- the rows between two marks.
CREATE TABLE IF NOT EXISTS positions_by_trader_since (
  trader FixedString(32) CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  first_slot UInt32 CODEC(T64, ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (trader, mint, quote_mint)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 1024;

TRUNCATE TABLE positions_by_trader_since;

INSERT INTO positions_by_trader_since
SELECT trader, mint, quote_mint, first_slot FROM positions FINAL;

DROP TABLE IF EXISTS positions_by_trader_before SYNC;

RENAME TABLE positions_by_trader TO positions_by_trader_before, positions_by_trader_since TO positions_by_trader;

DROP TABLE positions_by_trader_before SYNC;
