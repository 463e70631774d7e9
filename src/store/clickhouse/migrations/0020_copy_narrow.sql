-- Copies that only say where to look: a position by its key in `positions`, a transfer by its mint
-- and position in `transfers`.
CREATE TABLE IF NOT EXISTS positions_by_trader_narrow (
  trader FixedString(32) CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (trader, mint, quote_mint)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE positions_by_trader_narrow;

INSERT INTO positions_by_trader_narrow
SELECT trader, mint, quote_mint FROM positions_by_trader;

DROP TABLE IF EXISTS positions_by_trader_before SYNC;

RENAME TABLE positions_by_trader TO positions_by_trader_before, positions_by_trader_narrow TO positions_by_trader;

DROP TABLE positions_by_trader_before SYNC;

CREATE TABLE IF NOT EXISTS transfers_by_wallet_narrow (
  wallet FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, T64, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(T64, ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, T64, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  is_sender Bool CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 500000)
ORDER BY (wallet, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE transfers_by_wallet_narrow;

INSERT INTO transfers_by_wallet_narrow
SELECT wallet, slot, block_index, ix_index, time, partial, is_sender, mint FROM transfers_by_wallet;

DROP TABLE IF EXISTS transfers_by_wallet_before SYNC;

RENAME TABLE transfers_by_wallet TO transfers_by_wallet_before, transfers_by_wallet_narrow TO transfers_by_wallet;

DROP TABLE transfers_by_wallet_before SYNC;
