-- How often some wallets bought a mint in the whole blocks behind a slot, slot by slot.
SELECT trader AS wallet, slot, toUInt32(count()) AS buys
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND slot > {mark:UInt32}
  AND slot <= {newest:UInt32}
  AND NOT partial
  AND is_buy
  AND NOT protocol_actor
  AND trader IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32))
GROUP BY trader, slot
LIMIT {rows:UInt32}
