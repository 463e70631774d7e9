-- What follows from other columns is not stored but computed when it is read; where it only nearly
-- follows, the rest is stored, modulo 2^64, which is mostly zeros.
-- Each statement can run again after a crash at any place: a packed table answers to the same names.
CREATE TABLE IF NOT EXISTS swaps_packed (
  mint FixedString(32) CODEC(ZSTD(1)),
  slot UInt32 CODEC(Delta, T64, ZSTD(1)),
  block_index UInt32 CODEC(T64, ZSTD(1)),
  ix_index UInt16 CODEC(T64, ZSTD(1)),
  time DateTime('UTC') CODEC(Delta, T64, ZSTD(1)),
  signature FixedString(64) CODEC(NONE),
  partial Bool CODEC(ZSTD(1)),
  venue UInt8 CODEC(ZSTD(1)),
  pool FixedString(32) CODEC(ZSTD(1)),
  trader FixedString(32) CODEC(ZSTD(1)),
  is_buy Bool CODEC(ZSTD(1)),
  quote_mint FixedString(32) CODEC(ZSTD(1)),
  quote_decimals UInt8 CODEC(ZSTD(1)),
  token_decimals UInt8 CODEC(ZSTD(1)),
  quote_amount UInt64 CODEC(T64, ZSTD(1)),
  token_amount UInt64 CODEC(T64, ZSTD(1)),
  price_quote_less UInt64 CODEC(ZSTD(1)),
  price_token_less UInt64 CODEC(ZSTD(1)),
  fee UInt64 CODEC(T64, ZSTD(1)),
  creator_fee UInt64 CODEC(T64, ZSTD(1)),
  lp_fee UInt64 CODEC(T64, ZSTD(1)),
  fee_in_token Bool CODEC(ZSTD(1)),
  fee_creator FixedString(32) CODEC(ZSTD(1)),
  virtual_quote_reserves UInt64 CODEC(T64, ZSTD(1)),
  virtual_token_reserves UInt64 CODEC(T64, ZSTD(1)),
  real_quote_less UInt64 CODEC(ZSTD(1)),
  real_token_less UInt64 CODEC(ZSTD(1)),
  reserves_known Bool CODEC(ZSTD(1)),
  priced Bool CODEC(ZSTD(1)),
  protocol_actor Bool CODEC(ZSTD(1)),
  bundled UInt8 CODEC(ZSTD(1)),
  other_fee_payer FixedString(32) CODEC(ZSTD(1)),
  router LowCardinality(FixedString(32)) CODEC(ZSTD(1)),
  tip UInt64 CODEC(ZSTD(1)),
  tip_wallet LowCardinality(FixedString(32)) CODEC(ZSTD(1)),
  cu_price UInt64 CODEC(T64, ZSTD(1)),
  cu_limit UInt32 CODEC(ZSTD(1)),
  priority_fee_more UInt64 CODEC(ZSTD(1)),
  budget_source UInt8 CODEC(ZSTD(1)),
  network_fee_more UInt64 CODEC(ZSTD(1)),
  price_quote UInt64 ALIAS quote_amount - price_quote_less,
  price_token UInt64 ALIAS token_amount - price_token_less,
  price Float64 ALIAS if(price_token = 0, 0, price_quote / price_token),
  real_quote_reserves UInt64 ALIAS virtual_quote_reserves - real_quote_less,
  real_token_reserves UInt64 ALIAS virtual_token_reserves - real_token_less,
  fee_payer FixedString(32) ALIAS if(other_fee_payer = toFixedString('', 32), trader, other_fee_payer),
  priority_fee UInt64 ALIAS intDiv(cu_price * cu_limit, 1000000) + priority_fee_more,
  network_fee UInt64 ALIAS intDiv(cu_price * cu_limit, 1000000) + priority_fee_more + network_fee_more
)
ENGINE = MergeTree
PARTITION BY intDiv(slot, 5000000)
ORDER BY (mint, slot, block_index, ix_index)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE swaps_packed;

INSERT INTO swaps_packed
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, venue, pool, trader, is_buy, quote_mint,
  quote_decimals, token_decimals, quote_amount, token_amount,
  quote_amount - price_quote AS price_quote_less,
  token_amount - price_token AS price_token_less,
  fee, creator_fee, lp_fee, fee_in_token, fee_creator, virtual_quote_reserves, virtual_token_reserves,
  virtual_quote_reserves - real_quote_reserves AS real_quote_less,
  virtual_token_reserves - real_token_reserves AS real_token_less,
  reserves_known, priced, protocol_actor, bundled,
  if(fee_payer = trader, toFixedString('', 32), fee_payer) AS other_fee_payer,
  router, tip, tip_wallet, cu_price, cu_limit,
  priority_fee - intDiv(cu_price * cu_limit, 1000000) AS priority_fee_more,
  budget_source,
  network_fee - priority_fee AS network_fee_more
FROM swaps;

DROP TABLE IF EXISTS swaps_before SYNC;

RENAME TABLE swaps TO swaps_before, swaps_packed TO swaps;

DROP TABLE swaps_before SYNC;
