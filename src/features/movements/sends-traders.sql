-- Wallets, of those given, that traded any other token than this one up to a slot. A position outlives its swaps and keeps the
-- slot of the first of them; some of each wallet's are looked at, as no more begin in one flush than that.
SELECT DISTINCT trader AS wallet
FROM positions
WHERE (positions.mint, positions.quote_mint, positions.trader) IN (
    SELECT mint, quote_mint, trader
    FROM positions_by_trader
    WHERE trader IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32))
      AND mint != toFixedString(base58Decode({mint:String}), 32)
    LIMIT 4 BY trader
  )
  AND (first_slot <= {mark:UInt32} OR first_slot IN (SELECT slot FROM partial_slots))
LIMIT {limit:UInt32}
