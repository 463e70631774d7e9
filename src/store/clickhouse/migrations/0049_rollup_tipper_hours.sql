-- What wallets tipped in an hour. What is there already goes in out of the swaps, on disk where it is too much for memory.
CREATE TABLE IF NOT EXISTS tipper_hours (
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tipper FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  transactions SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  lamports SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (hour, tipper, partial_slot)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE tipper_hours;

INSERT INTO tipper_hours
SELECT toStartOfHour(time), fee_payer, if(partial, slot, 0) AS in_part, count(), sum(toUInt128(tip))
FROM swaps
WHERE tip > 0 AND network_fee > 0 AND venue IN (0, 1)
GROUP BY toStartOfHour(time), fee_payer, in_part
SETTINGS max_threads = 1, max_block_size = 16384, max_bytes_before_external_group_by = 200000000;
