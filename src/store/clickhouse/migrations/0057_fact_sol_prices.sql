-- SOL in US dollars by minute: the newest quote that any process had in it, in millionths. The engine may merge a minute's
-- rows or not: readers take the one that was quoted last.
CREATE TABLE IF NOT EXISTS sol_prices (
  minute DateTime('UTC') CODEC(Delta, ZSTD(1)),
  quoted_ms UInt64 CODEC(Delta, ZSTD(1)),
  usd_micros UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplacingMergeTree(quoted_ms)
ORDER BY minute;
