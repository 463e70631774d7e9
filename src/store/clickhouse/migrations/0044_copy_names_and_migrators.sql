-- Who called a migration. Of those from before it is not known.
ALTER TABLE token_graduations ADD COLUMN IF NOT EXISTS user FixedString(32) CODEC(ZSTD(1)) AFTER migration_fee;

-- Tokens in order of birth, with their names: lists of names look at those of a time alone. What is there already goes
-- in again out of the creations.
CREATE TABLE IF NOT EXISTS tokens_by_creation_named (
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1)),
  name String CODEC(ZSTD(1)),
  symbol String CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE tokens_by_creation_named;

INSERT INTO tokens_by_creation_named
SELECT slot, block_index, ix_index, time, partial, mint, creator, name, symbol FROM token_creations;

DROP TABLE IF EXISTS tokens_by_creation_before SYNC;

RENAME TABLE tokens_by_creation TO tokens_by_creation_before, tokens_by_creation_named TO tokens_by_creation;

DROP TABLE tokens_by_creation_before SYNC;
