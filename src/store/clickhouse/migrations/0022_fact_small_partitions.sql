-- Transfers are most of the rows and the first to be let go: partitions of about a day, as with attempts.
CREATE TABLE IF NOT EXISTS transfers_small (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, T64, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(T64, ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, T64, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  sender FixedString(32) CODEC(ZSTD(1)),
  receiver FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(T64, ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1)),
  ambiguous Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 500000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE transfers_small;

INSERT INTO transfers_small
SELECT mint, slot, block_index, ix_index, time, signature, partial, sender, receiver, amount, decimals, ambiguous FROM transfers;

DROP TABLE IF EXISTS transfers_before SYNC;

RENAME TABLE transfers TO transfers_before, transfers_small TO transfers;

DROP TABLE transfers_before SYNC;
