-- The same facts in the order in which questions about wallets read them. What a page shows
-- besides (signatures, fees) is looked up in the fact table by mint and position.
CREATE TABLE IF NOT EXISTS swaps_by_trader (
  trader FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  is_buy Bool CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  quote_amount UInt64 CODEC(T64, ZSTD(1)),
  token_amount UInt64 CODEC(T64, ZSTD(1)),
  protocol_actor Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (trader, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

-- Each transfer twice: once for the sender, once for the receiver.
CREATE TABLE IF NOT EXISTS transfers_by_wallet (
  wallet FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  is_sender Bool CODEC(ZSTD(1)),
  counterparty FixedString(32) CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(T64, ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1)),
  ambiguous Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (wallet, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS positions_by_trader AS positions
ENGINE = ReplacingMergeTree(version)
ORDER BY (trader, mint, quote_mint)
SETTINGS non_replicated_deduplication_window = 1000;
