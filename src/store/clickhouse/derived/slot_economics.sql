-- What transactions with a swap at any venue paid by slot, lamports, each counted once: its tips, and its fee above 5,000
-- for each signature (`unmeasured` counts those that are taken for signed once, since rows from before do not tell). Fees
-- and volume are those of swaps in SOL; those in other quotes count in `swaps` alone.
SELECT
  slot,
  partial_slot,
  max(at) AS time,
  sum(legs) AS swaps,
  countIf(signed = 0) AS unmeasured,
  sum(toUInt128(if(paid > 5000 * greatest(signed, 1), paid - 5000 * greatest(signed, 1), 0))) AS priority_fees,
  sum(toUInt128(tipped)) AS tips,
  sum(protocol_fees) AS fees,
  sum(traded) AS vol
FROM (
  SELECT
    slot,
    if(partial, slot, 0) AS partial_slot,
    max(source.time) AS at,
    count() AS legs,
    max(source.network_fee) AS paid,
    toUInt64(max(source.signatures)) AS signed,
    max(source.tip) AS tipped,
    sumIf(toUInt128(source.fee), quote_mint = toFixedString('', 32) AND NOT fee_in_token) AS protocol_fees,
    sumIf(toUInt128(source.quote_amount), quote_mint = toFixedString('', 32)) AS traded
  FROM $rows AS source
  GROUP BY slot, partial_slot, block_index
)
GROUP BY slot, partial_slot
