-- What wallets tipped in an hour. What is there already goes in beside the service, but for rows of single transactions.
CREATE TABLE IF NOT EXISTS tipper_hours (
  hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
  tipper FixedString(32) CODEC(ZSTD(1)),
  partial_slot UInt32 CODEC(ZSTD(1)),
  filled UInt32 CODEC(ZSTD(1)),
  transactions SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
  lamports SimpleAggregateFunction(sum, UInt128) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (hour, tipper, partial_slot, filled)
SETTINGS non_replicated_deduplication_window = 1000;

TRUNCATE TABLE tipper_hours;

DELETE FROM due_slots WHERE filled_table = 'tipper_hours';

DELETE FROM swept_slots WHERE swept_table = 'tipper_hours';

INSERT INTO due_slots SELECT 'tipper_hours', first_slot, last_slot, toDateTime(0, 'UTC') FROM coverage;

INSERT INTO tipper_hours (hour, tipper, partial_slot, transactions, lamports)
SELECT hour, tipper, partial_slot, count(), sum(paid)
FROM (
  SELECT toStartOfHour(time) AS hour, fee_payer AS tipper, slot AS partial_slot, toUInt128(any(tip)) AS paid
  FROM swaps
  WHERE partial AND tip > 0 AND venue IN (0, 1)
  GROUP BY hour, tipper, partial_slot, block_index
)
GROUP BY hour, tipper, partial_slot;
