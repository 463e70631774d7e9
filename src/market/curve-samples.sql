-- Tokens that swaps in SOL left on their curves in a span of seconds, of some slots and of single transactions: behind each
-- slot from `recent` on, before that behind the last one alone. `before` lay there before the first of them.
SELECT
  mint,
  toUInt32(max(slot)) AS newest_slot,
  toUInt32(max(time)) AS newest_time,
  argMax(real_token_reserves, (slot, block_index, ix_index)) AS left,
  argMin(
    toUInt64(if(is_buy, real_token_reserves + token_amount, real_token_reserves - token_amount)),
    (slot, block_index, ix_index)
  ) AS before
FROM swaps
WHERE slot > {after:UInt32}
  AND (slot <= {last:UInt32} OR slot IN (SELECT slot FROM partial_slots))
  AND toUInt32(time) >= {since:UInt32}
  AND toUInt32(time) < {until:UInt32}
  AND venue = 0
  AND quote_mint = toFixedString('', 32)
  AND priced
  AND reserves_known
GROUP BY mint, if(toUInt32(time) >= {recent:UInt32}, slot, 0)
ORDER BY newest_slot
