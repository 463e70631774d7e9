-- What swaps of a minute paid by venue, lamports: fees of swaps in SOL, and priority fees of transactions, each with its
-- first swap; and how many swaps tipped.
SELECT
  toStartOfMinute(time) AS minute,
  venue,
  if(partial, slot, 0) AS partial_slot,
  count() AS swaps,
  sumIf(toUInt128(source.fee), quote_mint = toFixedString('', 32) AND NOT fee_in_token) AS fees,
  sumIf(toUInt128(source.creator_fee), quote_mint = toFixedString('', 32) AND NOT fee_in_token) AS creator_fees,
  sumIf(toUInt128(source.priority_fee), network_fee > 0) AS priority_fees,
  countIf(tip > 0) AS tip_swaps
FROM $rows AS source
GROUP BY minute, venue, partial_slot
