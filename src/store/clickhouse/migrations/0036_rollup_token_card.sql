-- What a token's facts come to, in a row for each quote that priced it; the row of SOL ('') has all else too, so that swaps
-- that price nothing, which anybody can make in any quote, add no rows. Nothing is summed: each column is the greatest
-- of what came, and what is the earliest of its kind begins with the bitwise inverse of its place (`before`), so that 0,
-- nothing, is the least. Few rows a granule, because one token is asked for at a time; in one file, so that it is one read.
CREATE TABLE IF NOT EXISTS token_card (
  mint FixedString(32) CODEC(ZSTD(1)),
  priced_in FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  newest SimpleAggregateFunction(max, Tuple(
    at UInt64,
    time DateTime('UTC'),
    venue UInt8,
    pool FixedString(32),
    quote_mint FixedString(32),
    quote_decimals UInt8,
    token_decimals UInt8,
    price_quote UInt64,
    price_token UInt64,
    real_quote_reserves UInt64,
    real_token_reserves UInt64,
    reserves_known Bool
  )) CODEC(ZSTD(1)),
  newest_priced SimpleAggregateFunction(max, Tuple(
    at UInt64,
    time DateTime('UTC'),
    venue UInt8,
    pool FixedString(32),
    quote_mint FixedString(32),
    quote_decimals UInt8,
    token_decimals UInt8,
    price_quote UInt64,
    price_token UInt64,
    real_quote_reserves UInt64,
    real_token_reserves UInt64,
    reserves_known Bool
  )) CODEC(ZSTD(1)),
  highest SimpleAggregateFunction(max, Tuple(
    price Float64,
    before UInt64,
    time DateTime('UTC'),
    price_quote UInt64,
    price_token UInt64,
    quote_decimals UInt8,
    token_decimals UInt8
  )) CODEC(ZSTD(1)),
  creation SimpleAggregateFunction(max, Tuple(
    before UInt64,
    time DateTime('UTC'),
    signature FixedString(64),
    partial Bool,
    creator FixedString(32),
    fee_creator FixedString(32),
    name String,
    symbol String,
    uri String,
    bonding_curve FixedString(32),
    decimals UInt8,
    token_program FixedString(32),
    quote_mint FixedString(32),
    mayhem Bool,
    cashback Bool,
    holder_reward Bool,
    creator_fee_bps UInt32,
    curve_depth UInt8,
    virtual_token_reserves UInt64,
    virtual_quote_reserves UInt64,
    real_token_reserves UInt64,
    supply UInt64
  )) CODEC(ZSTD(1)),
  completion SimpleAggregateFunction(max, Tuple(
    before UInt64,
    time DateTime('UTC'),
    bonding_curve FixedString(32)
  )) CODEC(ZSTD(1)),
  graduation SimpleAggregateFunction(max, Tuple(
    before UInt64,
    time DateTime('UTC'),
    pool FixedString(32)
  )) CODEC(ZSTD(1)),
  creator_change SimpleAggregateFunction(max, Tuple(
    at UInt64,
    time DateTime('UTC'),
    creator FixedString(32)
  )) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (mint, priced_in, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 128, min_bytes_for_wide_part = 1099511627776, min_rows_for_wide_part = 1000000000000;

-- How far each table has come that is filled in steps beside the service: steps done, of 256, by the first byte of a mint.
CREATE TABLE IF NOT EXISTS fill_steps (
  filled_table LowCardinality(String),
  steps UInt16,
  done_at DateTime('UTC') DEFAULT now()
)
ENGINE = MergeTree
ORDER BY filled_table;

-- Rows of single transactions are taken out when their block comes, which the steps could not see: they go in at once.
INSERT INTO token_card (mint, priced_in, partial_slot, newest, newest_priced, highest)
WITH bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS at
SELECT
  mint,
  if(priced, quote_mint, toFixedString('', 32)) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    at, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
    real_quote_reserves, real_token_reserves, reserves_known
  )) AS newest,
  maxIf((
    at, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote, price_token,
    real_quote_reserves, real_token_reserves, reserves_known
  ), priced) AS newest_priced,
  maxIf((price, bitNot(at), time, price_quote, price_token, quote_decimals, token_decimals), priced) AS highest
FROM swaps
WHERE partial
GROUP BY mint, priced_in, partial_slot;

INSERT INTO token_card (mint, priced_in, partial_slot, creation)
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitNot(bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index),
    time, signature, partial, creator, fee_creator, name, symbol, uri, bonding_curve, decimals, token_program,
    quote_mint, mayhem, cashback, holder_reward, creator_fee_bps, curve_depth, virtual_token_reserves,
    virtual_quote_reserves, real_token_reserves, supply
  )) AS creation
FROM token_creations
WHERE partial
GROUP BY mint, priced_in, partial_slot;

INSERT INTO token_card (mint, priced_in, partial_slot, completion)
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitNot(bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index), time, bonding_curve
  )) AS completion
FROM curve_completions
WHERE partial
GROUP BY mint, priced_in, partial_slot;

INSERT INTO token_card (mint, priced_in, partial_slot, graduation)
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitNot(bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index), time, pool
  )) AS graduation
FROM token_graduations
WHERE partial
GROUP BY mint, priced_in, partial_slot;

INSERT INTO token_card (mint, priced_in, partial_slot, creator_change)
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index, time, creator
  )) AS creator_change
FROM creator_changes
WHERE partial
GROUP BY mint, priced_in, partial_slot;

-- A store without a block has nothing to fill in.
INSERT INTO fill_steps (filled_table, steps)
SELECT 'token_card', 256 WHERE (SELECT count() FROM coverage) = 0 AND (SELECT count() FROM swaps) = 0;
