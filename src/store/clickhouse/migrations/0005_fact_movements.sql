-- Tokens and lamports that moved outside trades, and money that entered or left curves and pools.
CREATE TABLE IF NOT EXISTS transfers (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  sender FixedString(32) CODEC(ZSTD(1)),
  receiver FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(T64, ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1)),
  ambiguous Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS burns (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  owner FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(T64, ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS unexplained_deltas (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  owner FixedString(32) CODEC(ZSTD(1)),
  delta Int64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS liquidity (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  pool FixedString(32) CODEC(ZSTD(1)),
  user FixedString(32) CODEC(ZSTD(1)),
  is_deposit Bool CODEC(ZSTD(1)),
  token_amount UInt64 CODEC(T64, ZSTD(1)),
  quote_amount UInt64 CODEC(T64, ZSTD(1)),
  lp_amount UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS fee_payouts (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  recipient FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(T64, ZSTD(1)),
  kind LowCardinality(String) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS fundings (
  wallet FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  funder FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(T64, ZSTD(1)),
  created_account Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (wallet, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;
