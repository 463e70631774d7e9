-- Creator fees that the swaps of a mint charged, by unit and by who earned them.
SELECT
  quote_mint,
  fee_in_token,
  fee_creator,
  min(quote_decimals) AS quote_decimals,
  toInt128(sum(toInt128(creator_fee))) AS earned,
  toUInt32(count()) AS swaps
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND creator_fee > 0
GROUP BY quote_mint, fee_in_token, fee_creator
ORDER BY earned DESC, quote_mint, fee_in_token, fee_creator
LIMIT {limit:UInt32}
