-- A row for each way in which a wallet is known at a slot: it sent, got or traded tokens, was funded or funded somebody.
-- That it once had a position outlives its swaps.
SELECT 1 AS known FROM transfers_by_wallet
WHERE wallet = toFixedString(base58Decode({wallet:String}), 32) AND (slot <= {mark:UInt32} OR partial) LIMIT 1
UNION ALL
SELECT 1 AS known FROM swaps_by_trader
WHERE trader = toFixedString(base58Decode({wallet:String}), 32) AND (slot <= {mark:UInt32} OR partial) LIMIT 1
UNION ALL
SELECT 1 AS known FROM positions_by_trader
WHERE trader = toFixedString(base58Decode({wallet:String}), 32)
  AND (first_slot <= {mark:UInt32} OR first_slot IN (SELECT slot FROM partial_slots))
LIMIT 1
UNION ALL
SELECT 1 AS known FROM fundings
WHERE wallet = toFixedString(base58Decode({wallet:String}), 32) AND (slot <= {mark:UInt32} OR partial) LIMIT 1
UNION ALL
SELECT 1 AS known FROM fundings_by_funder
WHERE funder = toFixedString(base58Decode({wallet:String}), 32) AND (slot <= {mark:UInt32} OR partial) LIMIT 1
UNION ALL
SELECT 1 AS known FROM tokens_by_creator
WHERE creator = toFixedString(base58Decode({wallet:String}), 32) AND (slot <= {mark:UInt32} OR partial) LIMIT 1
