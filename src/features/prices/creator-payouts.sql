-- Payouts of creator fees that name a mint, by quote and by who got them.
SELECT
  quote_mint,
  recipient,
  toInt128(sum(toInt128(amount))) AS paid,
  toUInt32(count()) AS payouts,
  toUInt32(max(time)) AS last_time
FROM fee_payouts
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND kind = 'creator'
GROUP BY quote_mint, recipient
ORDER BY paid DESC, quote_mint, recipient
LIMIT {limit:UInt32}
