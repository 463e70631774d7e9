-- How many wallets somebody has made, and when: by place alone, who they are is in `fundings`.
CREATE TABLE IF NOT EXISTS fundings_by_funder (
  funder FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, T64, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(T64, ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, T64, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  created_account Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (funder, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE fundings_by_funder;

INSERT INTO fundings_by_funder
SELECT funder, slot, block_index, ix_index, time, partial, created_account FROM fundings;
