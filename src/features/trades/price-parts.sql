-- The raw amounts behind prices of a mint in one quote, which are given by the bits of their doubles: one swap of each.
SELECT price, price_quote, price_token
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND quote_mint = toFixedString(base58Decode({quote:String}), 32)
  AND if({pool:String} = '', priced, pool = toFixedString(base58Decode({pool:String}), 32))
  AND (slot <= {mark:UInt32} OR partial)
  AND reinterpretAsUInt64(price) IN (SELECT toUInt64(arrayJoin({bits:Array(String)})))
LIMIT 1 BY price
