-- The first swap of each of some wallets in the slot named beside it.
SELECT trader, slot, block_index, ix_index, signature, partial
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND slot IN {slots:Array(UInt32)}
  AND (trader, slot) IN (
    SELECT (toFixedString(base58Decode(tupleElement(pair, 1)), 32), tupleElement(pair, 2))
    FROM (SELECT arrayJoin(arrayZip({wallets:Array(String)}, {slots:Array(UInt32)})) AS pair)
  )
ORDER BY mint, slot, block_index, ix_index
LIMIT 1 BY trader
LIMIT {limit:UInt32}
