-- Sales of tokens by who created them, in order of time. A creation may come behind the sales: rows are swept out of the
-- swaps of whole blocks, and as one that comes again is the same, the newest wins.
CREATE TABLE IF NOT EXISTS dev_sales (
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  creator FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  quote_amount UInt64 CODEC(T64, ZSTD(1)),
  token_amount UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (slot, block_index, ix_index, mint);
