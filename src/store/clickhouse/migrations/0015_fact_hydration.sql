-- What the chain's accounts told of tokens and pools older than our data, and what they did not:
-- `found` is false for those that are not there, and `retry_at` says when to ask again (0: never).
CREATE TABLE IF NOT EXISTS hydrated_tokens (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(ZSTD(1)),
  checked_at DateTime('UTC') CODEC(ZSTD(1)),
  retry_at DateTime('UTC') CODEC(ZSTD(1)),
  found Bool CODEC(ZSTD(1)),
  named Bool CODEC(ZSTD(1)),
  name String CODEC(ZSTD(1)),
  symbol String CODEC(ZSTD(1)),
  uri String CODEC(ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1)),
  supply UInt64 CODEC(ZSTD(1)),
  token_program FixedString(32) CODEC(ZSTD(1)),
  bonding_curve FixedString(32) CODEC(ZSTD(1)),
  complete Bool CODEC(ZSTD(1)),
  fee_creator FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  mayhem Bool CODEC(ZSTD(1)),
  cashback Bool CODEC(ZSTD(1)),
  holder_reward Bool CODEC(ZSTD(1)),
  creator_fee_bps UInt32 CODEC(ZSTD(1)),
  curve_depth UInt8 CODEC(ZSTD(1)),
  pool FixedString(32) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY mint;

CREATE TABLE IF NOT EXISTS hydrated_pools (
  pool FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(ZSTD(1)),
  checked_at DateTime('UTC') CODEC(ZSTD(1)),
  retry_at DateTime('UTC') CODEC(ZSTD(1)),
  found Bool CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  inverted Bool CODEC(ZSTD(1)),
  canonical Bool CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1)),
  coin_creator FixedString(32) CODEC(ZSTD(1)),
  lp_mint FixedString(32) CODEC(ZSTD(1)),
  base_vault FixedString(32) CODEC(ZSTD(1)),
  quote_vault FixedString(32) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY pool;

-- The transfer that made a wallet, looked up for wallets older than our data. Without `found` the
-- look-up came to nothing, and `outcome` says why.
CREATE TABLE IF NOT EXISTS funding_lookups (
  wallet FixedString(32) CODEC(ZSTD(1)),
  checked_at DateTime('UTC') CODEC(ZSTD(1)),
  retry_at DateTime('UTC') CODEC(ZSTD(1)),
  outcome LowCardinality(String) CODEC(ZSTD(1)),
  found Bool CODEC(ZSTD(1)),
  slot UInt32 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  ix_index UInt16 CODEC(ZSTD(1)),
  funder FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY wallet;
