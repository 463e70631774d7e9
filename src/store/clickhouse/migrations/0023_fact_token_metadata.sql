-- What the documents say that tokens' URIs name. `state` is stored, none (for good) or waiting (until
-- `retry_at`); `outcome` says why. One row is read at a time, with its texts: granules are small.
CREATE TABLE IF NOT EXISTS token_metadata (
  mint FixedString(32) CODEC(ZSTD(1)),
  checked_at DateTime('UTC') CODEC(ZSTD(1)),
  retry_at DateTime('UTC') CODEC(ZSTD(1)),
  state LowCardinality(String) CODEC(ZSTD(1)),
  tries UInt8 CODEC(ZSTD(1)),
  outcome LowCardinality(String) CODEC(ZSTD(1)),
  uri String CODEC(ZSTD(1)),
  image String CODEC(ZSTD(1)),
  twitter String CODEC(ZSTD(1)),
  website String CODEC(ZSTD(1)),
  telegram String CODEC(ZSTD(1)),
  description String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY mint
SETTINGS index_granularity = 256;
