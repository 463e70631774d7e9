-- Slot ranges that are whole. Every row is true for ever; a longer range from the same first
-- slot replaces the shorter one, so a store that follows the tip keeps a handful of rows.
CREATE TABLE IF NOT EXISTS coverage (
  first_slot UInt32,
  last_slot UInt32
)
ENGINE = ReplacingMergeTree(last_slot)
ORDER BY first_slot
SETTINGS non_replicated_deduplication_window = 1000;

-- Slots of which there are only rows of single transactions, until their whole block comes.
CREATE TABLE IF NOT EXISTS partial_slots (
  slot UInt32
)
ENGINE = ReplacingMergeTree
ORDER BY slot
SETTINGS non_replicated_deduplication_window = 1000;

-- Who may write. The highest epoch is the writer; a renewal is a newer row of the same epoch.
CREATE TABLE IF NOT EXISTS writer_lease (
  epoch UInt64,
  owner String,
  renewal UInt64,
  released Bool,
  at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(renewal)
ORDER BY (epoch, owner);
