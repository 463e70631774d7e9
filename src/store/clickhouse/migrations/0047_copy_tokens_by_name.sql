-- Tokens by their names as they are served.
CREATE TABLE IF NOT EXISTS tokens_by_name (
  name String CODEC(ZSTD(1)),
  slot UInt32 CODEC(ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (name, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE tokens_by_name;

INSERT INTO tokens_by_name
SELECT
  replaceRegexpAll(
    name,
    '[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}\\x{ad}\\x{600}-\\x{605}\\x{61c}\\x{6dd}\\x{70f}\\x{890}-\\x{891}\\x{8e2}\\x{180e}\\x{200b}\\x{200e}-\\x{200f}\\x{2028}-\\x{202e}\\x{2060}-\\x{2064}\\x{2066}-\\x{206f}\\x{feff}\\x{fff9}-\\x{fffb}\\x{110bd}\\x{110cd}\\x{13430}-\\x{1343f}\\x{1bca0}-\\x{1bca3}\\x{1d173}-\\x{1d17a}\\x{e0001}\\x{e0020}-\\x{e007f}]',
    ''
  ) AS name,
  slot, block_index, ix_index, partial, mint
FROM token_creations;
