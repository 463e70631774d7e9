-- How many wallets traded in an hour, sketched: 4,096 registers, each with the highest rank of the wallets that its number
-- is drawn for. Nothing is summed, so doing it again after a crash changes nothing.
CREATE TABLE IF NOT EXISTS trader_registers (
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  register UInt16 CODEC(Delta, ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  rank SimpleAggregateFunction(max, UInt8) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (hour, register, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;

INSERT INTO trader_registers
WITH
  cityHash64(trader) AS hash,
  bitOr(bitShiftRight(hash, 12), bitShiftLeft(toUInt64(1), 51)) AS rest
SELECT
  toStartOfHour(time) AS hour, toUInt16(bitAnd(hash, 4095)) AS register, if(partial, slot, 0) AS partial_slot,
  max(toUInt8(bitCount(bitXor(rest, rest - 1))))
FROM swaps
WHERE venue IN (0, 1) AND NOT protocol_actor AND trader != toFixedString('', 32)
GROUP BY hour, register, partial_slot
SETTINGS max_threads = 1, max_block_size = 16384, max_bytes_before_external_group_by = 200000000;
