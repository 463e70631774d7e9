-- Who led which slots, in chunks of 4,096 slots that are cut at the ends of epochs. `places` has the place of its leader
-- for each turn, two bytes each, little endian; places are those of `epoch_leaders` under the same `schedule`, so that
-- what two nodes told otherwise is never mixed. A schedule that is written twice is the same rows.
CREATE TABLE IF NOT EXISTS leader_turns (
  chunk UInt32 CODEC(Delta, ZSTD(1)),
  epoch UInt32 CODEC(ZSTD(1)),
  first_slot UInt32 CODEC(Delta, ZSTD(1)),
  slots UInt16 CODEC(ZSTD(1)),
  turn_slots UInt8 CODEC(ZSTD(1)),
  schedule UInt64 CODEC(ZSTD(1)),
  epoch_first_slot UInt32 CODEC(ZSTD(1)),
  epoch_slots UInt32 CODEC(ZSTD(1)),
  stored_at DateTime('UTC') CODEC(ZSTD(1)),
  places String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(stored_at)
ORDER BY (chunk, epoch)
SETTINGS index_granularity = 16;

CREATE TABLE IF NOT EXISTS epoch_leaders (
  epoch UInt32 CODEC(Delta, ZSTD(1)),
  schedule UInt64 CODEC(ZSTD(1)),
  place UInt16 CODEC(Delta, ZSTD(1)),
  identity FixedString(32) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (epoch, schedule, place)
SETTINGS index_granularity = 256;

-- Validators as they were last known in an epoch. `client` is one more than the client's number in gossip, `shares_tips`
-- 1 for no and 2 for yes; 0 is what nobody told.
CREATE TABLE IF NOT EXISTS epoch_validators (
  identity FixedString(32) CODEC(ZSTD(1)),
  epoch UInt32 CODEC(Delta, ZSTD(1)),
  checked_at DateTime('UTC') CODEC(ZSTD(1)),
  vote FixedString(32) CODEC(ZSTD(1)),
  name String CODEC(ZSTD(1)),
  version LowCardinality(String) CODEC(ZSTD(1)),
  client UInt32 CODEC(ZSTD(1)),
  stake UInt64 CODEC(T64, ZSTD(1)),
  commission UInt8 CODEC(ZSTD(1)),
  delinquent Bool CODEC(ZSTD(1)),
  gossip_ip String CODEC(ZSTD(1)),
  shares_tips UInt8 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY (identity, epoch)
SETTINGS index_granularity = 256;
