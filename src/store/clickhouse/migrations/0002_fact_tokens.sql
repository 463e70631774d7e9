-- One small table per kind of news about a token, so that late news of one kind undoes none of another.
CREATE TABLE IF NOT EXISTS token_creations (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1)),
  fee_creator FixedString(32) CODEC(ZSTD(1)),
  name String CODEC(ZSTD(1)),
  symbol String CODEC(ZSTD(1)),
  uri String CODEC(ZSTD(1)),
  bonding_curve FixedString(32) CODEC(ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1)),
  token_program FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  mayhem Bool CODEC(ZSTD(1)),
  cashback Bool CODEC(ZSTD(1)),
  holder_reward Bool CODEC(ZSTD(1)),
  creator_fee_bps UInt32 CODEC(ZSTD(1)),
  curve_depth UInt8 CODEC(ZSTD(1)),
  virtual_token_reserves UInt64 CODEC(T64, ZSTD(1)),
  virtual_quote_reserves UInt64 CODEC(T64, ZSTD(1)),
  real_token_reserves UInt64 CODEC(T64, ZSTD(1)),
  supply UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS curve_completions (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  bonding_curve FixedString(32) CODEC(ZSTD(1)),
  user FixedString(32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS token_graduations (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  pool FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  token_amount UInt64 CODEC(T64, ZSTD(1)),
  quote_amount UInt64 CODEC(T64, ZSTD(1)),
  migration_fee UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS creator_changes (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  previous FixedString(32) CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1)),
  reason LowCardinality(String) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS pools (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  pool FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  inverted Bool CODEC(ZSTD(1)),
  canonical Bool CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1)),
  token_decimals UInt8 CODEC(ZSTD(1)),
  quote_decimals UInt8 CODEC(ZSTD(1)),
  token_amount UInt64 CODEC(T64, ZSTD(1)),
  quote_amount UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;
