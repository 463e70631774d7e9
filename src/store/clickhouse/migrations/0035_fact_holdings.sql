-- What wallets hold by everything that moved a token, absolute as in positions: the row of the newest
-- place wins, and of equal ones the one written last. Only wallets that moved tokens outside of trades
-- have one; of the others the positions tell it. `first_time` and `first_slot` are of the first movement.
CREATE TABLE IF NOT EXISTS holdings (
  mint FixedString(32) CODEC(ZSTD(1)),
  wallet FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  estimate Int64 CODEC(T64, ZSTD(1)),
  balance Int64 CODEC(T64, ZSTD(1)),
  estimate_known Bool CODEC(ZSTD(1)),
  balance_known Bool CODEC(ZSTD(1)),
  whole Bool CODEC(ZSTD(1)),
  received UInt64 CODEC(T64, ZSTD(1)),
  sent UInt64 CODEC(T64, ZSTD(1)),
  burnt UInt64 CODEC(T64, ZSTD(1)),
  provided Int64 CODEC(T64, ZSTD(1)),
  unexplained Int64 CODEC(T64, ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  quotes UInt8 CODEC(ZSTD(1)),
  basis UInt64 CODEC(T64, ZSTD(1)),
  basis_tokens UInt64 CODEC(T64, ZSTD(1)),
  realized_pnl Int64 CODEC(T64, ZSTD(1)),
  pnl_known Bool CODEC(ZSTD(1)),
  moves UInt32 CODEC(ZSTD(1)),
  first_time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  first_slot UInt32 CODEC(Delta, ZSTD(1)),
  last_time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  version UInt64 MATERIALIZED bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index CODEC(T64, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (mint, wallet)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 256;

-- Since when all movements are in the holdings: 0 where the store began with them, otherwise the age of what
-- it still had at its first start with this table. One row, written once.
CREATE TABLE IF NOT EXISTS holdings_since (
  since DateTime('UTC') CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY since;
