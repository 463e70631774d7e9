-- The same facts in the order in which questions about wallets read them. What a page shows
-- besides (signatures, fees) is looked up in the fact table by mint and position.
CREATE TABLE IF NOT EXISTS swaps_by_trader (
  trader FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  is_buy Bool CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  quote_amount UInt64 CODEC(ZSTD(1)),
  token_amount UInt64 CODEC(ZSTD(1)),
  protocol_actor Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (trader, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS swaps_by_trader_view TO swaps_by_trader AS
SELECT trader, slot, block_index, ix_index, time, partial, mint, venue, is_buy, quote_mint, quote_amount, token_amount, protocol_actor
FROM swaps;

-- Each transfer twice: once for the sender, once for the receiver.
CREATE TABLE IF NOT EXISTS transfers_by_wallet (
  wallet FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, ZSTD(1)),
  block_index UInt32 CODEC(ZSTD(1)),
  ix_index UInt16 CODEC(ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, ZSTD(1)),
  partial Bool CODEC(ZSTD(1)),
  is_sender Bool CODEC(ZSTD(1)),
  counterparty FixedString(32) CODEC(ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  amount UInt64 CODEC(ZSTD(1)),
  decimals UInt8 CODEC(ZSTD(1)),
  ambiguous Bool CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (wallet, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS transfers_by_wallet_view TO transfers_by_wallet AS
SELECT
  if(is_sender, sender, receiver) AS wallet,
  slot, block_index, ix_index, time, partial,
  is_sender,
  if(is_sender, receiver, sender) AS counterparty,
  mint, amount, decimals, ambiguous
FROM transfers
ARRAY JOIN [true, false] AS is_sender;

CREATE TABLE IF NOT EXISTS positions_by_trader AS positions
ENGINE = ReplacingMergeTree(version)
ORDER BY (trader, mint, quote_mint)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS positions_by_trader_view TO positions_by_trader AS
SELECT * FROM positions;
