-- A row per produced block, and what each tip wallet received in it.
CREATE TABLE IF NOT EXISTS blocks (
  slot UInt32 CODEC(Delta, ZSTD(1)),
  blockhash String CODEC(ZSTD(1)),
  parent_slot UInt32 CODEC(Delta, ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  transactions UInt32 CODEC(ZSTD(1)),
  failed UInt32 CODEC(ZSTD(1)),
  votes UInt32 CODEC(ZSTD(1)),
  swaps UInt32 CODEC(ZSTD(1)),
  attempts UInt32 CODEC(ZSTD(1)),
  fees UInt64 CODEC(T64, ZSTD(1)),
  priority_fees UInt64 CODEC(T64, ZSTD(1)),
  tips UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (slot)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS slot_tips (
  slot UInt32 CODEC(Delta, ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tip_wallet FixedString(32) CODEC(ZSTD(1)),
  count UInt32 CODEC(ZSTD(1)),
  lamports UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (slot, tip_wallet)
SETTINGS non_replicated_deduplication_window = 1000;
