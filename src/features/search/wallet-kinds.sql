-- What an address did, a row for each way in which it is known up to a slot: it made tokens, or traded them. Trades may
-- be let go; positions never are.
SELECT 'creator' AS kind
FROM tokens_by_creator
WHERE creator = toFixedString(base58Decode({wallet:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
LIMIT 1
UNION ALL
SELECT 'wallet' AS kind
FROM swaps_by_trader
WHERE trader = toFixedString(base58Decode({wallet:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
LIMIT 1
UNION ALL
SELECT 'wallet' AS kind
FROM positions_by_trader
WHERE trader = toFixedString(base58Decode({wallet:String}), 32)
  AND (first_slot <= {mark:UInt32} OR first_slot IN (SELECT slot FROM partial_slots))
LIMIT 1
