-- The holdings of some traders of a mint, and those with the largest estimates, known ones first: the largest holders
-- that never traded are among these. Wallets that are no holders are left out. Newest row wins (FINAL).
WITH
  toFixedString(base58Decode({mint:String}), 32) AS the_mint,
  arrayMap(each -> toFixedString(base58Decode(each), 32), {venues:Array(String)}) AS nobody
SELECT $columns
FROM holdings FINAL
WHERE mint = the_mint
  AND (
    wallet IN arrayMap(each -> toFixedString(base58Decode(each), 32), {traders:Array(String)})
    OR wallet IN (
      SELECT wallet
      FROM holdings FINAL
      WHERE mint = the_mint AND wallet NOT IN nobody
      ORDER BY estimate_known DESC, estimate DESC, base58Encode(wallet)
      LIMIT {wallets:UInt32}
    )
  )
