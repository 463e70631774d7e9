-- Pairs of some mints and wallets that had a position at a slot: rows tell their newest state, but when they began.
SELECT DISTINCT mint, trader AS wallet
FROM positions
WHERE mint IN arrayMap(each -> toFixedString(base58Decode(each), 32), {mints:Array(String)})
  AND trader IN arrayMap(each -> toFixedString(base58Decode(each), 32), {wallets:Array(String)})
  AND (first_slot <= {mark:UInt32} OR first_slot IN (SELECT slot FROM partial_slots))
