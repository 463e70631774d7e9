-- What transactions tipped a provider, each by itself: empty in rows from before this migration, where sums alone are known.
ALTER TABLE slot_tips ADD COLUMN IF NOT EXISTS largest UInt64 CODEC(T64, ZSTD(1)) AFTER lamports;

ALTER TABLE slot_tips ADD COLUMN IF NOT EXISTS sizes String CODEC(ZSTD(1)) AFTER largest;

-- Tips by quarter of an hour: `sizes` are numbers of transactions by what they tipped, to three digits.
CREATE TABLE IF NOT EXISTS tip_quarters (
  quarter DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tip_wallet FixedString(32) CODEC(ZSTD(1)),
  count SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  repeated SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  lamports SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD(1)),
  largest SimpleAggregateFunction(max, UInt64) CODEC(T64, ZSTD(1)),
  sizes SimpleAggregateFunction(sumMap, Tuple(Array(UInt16), Array(UInt64))) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (quarter, tip_wallet)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE tip_quarters;

INSERT INTO tip_quarters (quarter, tip_wallet, count, repeated, lamports)
SELECT toStartOfFifteenMinutes(minute) AS quarter, tip_wallet, sum(count), sum(repeated), sum(lamports)
FROM tip_minutes
GROUP BY quarter, tip_wallet;
