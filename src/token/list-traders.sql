-- Wallets that ever traded some mints, and the quotes they traded them in: how many, and one of them.
SELECT
  mint,
  toUInt32(uniqExact(trader)) AS traders,
  toUInt32(uniqExact(positions.quote_mint)) AS quotes,
  any(positions.quote_mint) AS quote_mint
FROM positions
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (first_slot <= {mark:UInt32} OR first_slot IN (SELECT slot FROM partial_slots))
GROUP BY mint
