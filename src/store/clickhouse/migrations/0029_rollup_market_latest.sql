-- One row per token and market (a curve, with `pool` empty, or a pool): its newest swap with what it left
-- in the market, and the highest price of the swaps that price the token (`price` 0 when none does). Of
-- equal prices the earliest: `before` is the bitwise inverse of `at`.
CREATE TABLE IF NOT EXISTS market_latest (
  mint FixedString(32) CODEC(ZSTD(1)),
  pool FixedString(32) CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  newest SimpleAggregateFunction(max, Tuple(
    at UInt64,
    time DateTime('UTC'),
    price_quote UInt64,
    price_token UInt64,
    virtual_quote_reserves UInt64,
    virtual_token_reserves UInt64,
    real_quote_reserves UInt64,
    real_token_reserves UInt64,
    reserves_known Bool,
    fee_in_token Bool,
    quote_decimals UInt8,
    token_decimals UInt8
  )) CODEC(ZSTD(1)),
  highest SimpleAggregateFunction(max, Tuple(
    price Float64,
    before UInt64,
    time DateTime('UTC'),
    price_quote UInt64,
    price_token UInt64,
    quote_decimals UInt8,
    token_decimals UInt8
  )) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (mint, pool, quote_mint, venue, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;

-- Nothing is summed, so doing it again after a crash changes nothing.
INSERT INTO market_latest
WITH bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS at
SELECT
  mint,
  pool,
  quote_mint,
  venue,
  if(partial, slot, 0) AS partial_slot,
  max((
    at, time, price_quote, price_token, virtual_quote_reserves, virtual_token_reserves, real_quote_reserves,
    real_token_reserves, reserves_known, fee_in_token, quote_decimals, token_decimals
  )) AS newest,
  maxIf((price, bitNot(at), time, price_quote, price_token, quote_decimals, token_decimals), priced) AS highest
FROM swaps
GROUP BY mint, pool, quote_mint, venue, partial_slot
SETTINGS max_threads = 1, max_block_size = 16384, max_bytes_before_external_group_by = 200000000;
