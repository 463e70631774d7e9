-- Since when tables have all the rows that they ever had, as it stood when rows began to be kept for longer, or for ever: what
-- had been let go until then does not come back. A table may have several rows, of which the latest time counts.
CREATE TABLE IF NOT EXISTS let_go (
  name String CODEC(ZSTD(1)),
  since DateTime('UTC') CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(since)
ORDER BY name;
