-- What tokens were traded for in SOL in an hour, in order of time, and the highest price that swaps told of it (`price` 0
-- when none did). Of equal prices the earliest: `before` is the bitwise inverse of `at`. What is there already goes in out
-- of the swaps, on disk where it is too much for memory.
CREATE TABLE IF NOT EXISTS mint_hours (
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  mint FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  swaps SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  volume SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1)),
  highest SimpleAggregateFunction(max, Tuple(
    price Float64,
    before UInt64,
    price_quote UInt64,
    price_token UInt64,
    token_decimals UInt8
  )) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (hour, mint, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE mint_hours;

INSERT INTO mint_hours
WITH bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index AS at
SELECT
  toStartOfHour(time), mint, if(partial, slot, 0) AS in_part, count(), sum(toUInt128(quote_amount)),
  maxIf((price, bitNot(at), price_quote, price_token, token_decimals), priced)
FROM swaps
WHERE quote_mint = toFixedString('', 32) AND venue IN (0, 1)
GROUP BY toStartOfHour(time), mint, in_part
SETTINGS max_threads = 1, max_block_size = 16384, max_bytes_before_external_group_by = 200000000;
