-- Mints of tokenized shares as the chain told of them last. `scaling` is 0 for amounts that are shown as they are, 1 for
-- those that are scaled, as the other columns say, and 2 where that is unknown.
CREATE TABLE IF NOT EXISTS equity_mints (
  mint FixedString(32) CODEC(ZSTD(1)),
  read_ms UInt64 CODEC(ZSTD(1)),
  slot UInt64 CODEC(ZSTD(1)),
  supply UInt64 CODEC(ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1)),
  scaling UInt8 CODEC(ZSTD(1)),
  multiplier Float64 CODEC(ZSTD(1)),
  next_multiplier Float64 CODEC(ZSTD(1)),
  next_from Int64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(read_ms)
ORDER BY mint;

-- What shares closed at, as each source told last, in millionths of a dollar; `date` as in New York.
CREATE TABLE IF NOT EXISTS share_closes (
  source String CODEC(ZSTD(1)),
  ticker String CODEC(ZSTD(1)),
  date String CODEC(ZSTD(1)),
  usd_micros UInt64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (source, ticker, date);
