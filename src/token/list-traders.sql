-- Positions of some mints: the wallets that ever traded them, one in each quote they traded in.
SELECT mint, toUInt32(uniqExact(quote_mint, trader)) AS traders
FROM positions
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (first_slot <= {mark:UInt32} OR first_slot IN (SELECT slot FROM partial_slots))
GROUP BY mint
