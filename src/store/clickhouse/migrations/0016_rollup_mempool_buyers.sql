-- Who tried to buy a token in slots before it was created: the row that has seen the most wins.
CREATE TABLE IF NOT EXISTS mempool_buyers (
  mint FixedString(32) CODEC(ZSTD(1)),
  wallet FixedString(32) CODEC(ZSTD(1)),
  symbol String CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1)),
  attempts UInt32 CODEC(ZSTD(1)),
  slots_before UInt32 CODEC(ZSTD(1)),
  slot UInt32 CODEC(ZSTD(1)),
  block_index UInt32 CODEC(ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(ZSTD(1)),
  last_time DateTime('UTC') CODEC(ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  created_slot UInt32 CODEC(ZSTD(1)),
  create_signature FixedString(64) CODEC(NONE),
  landed Bool CODEC(ZSTD(1)),
  version UInt64 MATERIALIZED bitShiftLeft(toUInt64(attempts), 1) + landed
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (mint, wallet);

-- Slots that a background sweep has been through, per table it fills: ranges as in `coverage`.
CREATE TABLE IF NOT EXISTS swept_slots (
  swept_table LowCardinality(String),
  first_slot UInt32,
  last_slot UInt32
)
ENGINE = ReplacingMergeTree(last_slot)
ORDER BY (swept_table, first_slot);
