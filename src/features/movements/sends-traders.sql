-- Wallets, of those given, that traded any other token than this one up to a slot. A position outlives its swaps and keeps the
-- slot of the first of them.
SELECT DISTINCT trader AS wallet
FROM positions_by_trader
WHERE trader IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32))
  AND mint != toFixedString(base58Decode({mint:String}), 32)
  AND (first_slot <= {mark:UInt32} OR first_slot IN (SELECT slot FROM partial_slots))
LIMIT {limit:UInt32}
