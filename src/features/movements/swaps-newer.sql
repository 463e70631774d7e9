-- What some wallets bought and sold of a mint in the whole blocks behind a slot, slot by slot, raw units.
SELECT trader AS wallet, slot, toInt128(sum(token_amount)) AS traded
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND slot > {mark:UInt32}
  AND slot <= {newest:UInt32}
  AND NOT partial
  AND trader IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)})
GROUP BY trader, slot
LIMIT {limit:UInt32}
