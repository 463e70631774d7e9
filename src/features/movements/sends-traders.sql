-- Wallets, of those given, that traded any other token than this one.
SELECT DISTINCT trader AS wallet
FROM positions_by_trader
WHERE trader IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32))
  AND mint != toFixedString(base58Decode({mint:String}), 32)
LIMIT {limit:UInt32}
