-- Tokens in order of birth, for lists, and per creator.
CREATE TABLE IF NOT EXISTS tokens_by_creation (
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS tokens_by_creator AS tokens_by_creation
ENGINE = MergeTree
ORDER BY (creator, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;
