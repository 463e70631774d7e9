-- As with swaps. The position of the last swap is the version itself, and its first one as long ago as it was held.
CREATE TABLE IF NOT EXISTS positions_packed (
  mint FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  trader FixedString(32) CODEC(ZSTD(1)),
  version UInt64 CODEC(T64, ZSTD(1)),
  token_balance Int64 CODEC(T64, ZSTD(1)),
  tokens_bought UInt64 CODEC(T64, ZSTD(1)),
  tokens_sold_more UInt64 CODEC(ZSTD(1)),
  quote_invested UInt64 CODEC(T64, ZSTD(1)),
  quote_received UInt64 CODEC(T64, ZSTD(1)),
  basis_more UInt64 CODEC(ZSTD(1)),
  basis_tokens_more UInt64 CODEC(ZSTD(1)),
  realized_pnl_more Int64 CODEC(ZSTD(1)),
  pnl_known Bool CODEC(ZSTD(1)),
  buys UInt32 CODEC(ZSTD(1)),
  sells UInt32 CODEC(ZSTD(1)),
  held_slots UInt32 CODEC(ZSTD(1)),
  held_seconds UInt32 CODEC(ZSTD(1)),
  last_time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  slot UInt32 ALIAS bitShiftRight(version, 32),
  block_index UInt32 ALIAS bitAnd(bitShiftRight(version, 14), 262143),
  ix_index UInt16 ALIAS bitAnd(version, 16383),
  tokens_sold UInt64 ALIAS tokens_bought - token_balance + tokens_sold_more,
  basis_tokens UInt64 ALIAS greatest(token_balance, 0) + basis_tokens_more,
  basis UInt64 ALIAS if(basis_tokens = tokens_bought, quote_invested, if(basis_tokens = 0, 0, intDivOrZero(toUInt128(quote_invested) * basis_tokens, tokens_bought))) + basis_more,
  realized_pnl Int64 ALIAS quote_received - quote_invested + basis + realized_pnl_more,
  first_time DateTime('UTC') ALIAS last_time - held_seconds,
  first_slot UInt32 ALIAS slot - held_slots
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (mint, quote_mint, trader)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 256;

TRUNCATE TABLE positions_packed;

INSERT INTO positions_packed
SELECT
  mint, quote_mint, trader,
  bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS version,
  token_balance, tokens_bought,
  tokens_sold - (tokens_bought - token_balance) AS tokens_sold_more,
  quote_invested, quote_received,
  basis - if(basis_tokens = tokens_bought, quote_invested, if(basis_tokens = 0, 0, intDivOrZero(toUInt128(quote_invested) * basis_tokens, tokens_bought))) AS basis_more,
  basis_tokens - greatest(token_balance, 0) AS basis_tokens_more,
  realized_pnl - (quote_received - quote_invested + basis) AS realized_pnl_more,
  pnl_known, buys, sells,
  slot - first_slot AS held_slots,
  toUInt32(last_time) - toUInt32(first_time) AS held_seconds,
  last_time
FROM positions;

DROP TABLE IF EXISTS positions_before SYNC;

RENAME TABLE positions TO positions_before, positions_packed TO positions;

DROP TABLE positions_before SYNC;
