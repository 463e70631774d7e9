-- Mints with swaps that came after newer ones were folded: their positions are not right until
-- all their swaps are folded again. A mark is written with the swaps that make it necessary, in
-- the same flush, and answered by a row that is done, written with the new positions. Marks are
-- numbered in the order in which they are made: a mint is stale while its newest mark is newer
-- than what is done. Two rows per mint are left of them.
CREATE TABLE IF NOT EXISTS stale_positions (
  mint FixedString(32) CODEC(ZSTD(1)),
  done Bool CODEC(ZSTD(1)),
  mark UInt32 CODEC(T64, ZSTD(1)),
  slot UInt32 CODEC(T64, ZSTD(1))
)
ENGINE = ReplacingMergeTree(mark)
ORDER BY (mint, done)
SETTINGS non_replicated_deduplication_window = 1000;
