-- Swaps that price a mint in one quote, or all of a pool that stands in for them, after a position, oldest first: what
-- candles are made of.
SELECT
  slot, block_index, ix_index, time, venue, trader, is_buy, quote_mint, quote_decimals, token_decimals,
  quote_amount, price_quote, price_token
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND quote_mint = toFixedString(base58Decode({quote:String}), 32)
  AND if({pool:String} = '', priced, pool = toFixedString(base58Decode({pool:String}), 32))
  AND (slot <= {mark:UInt32} OR partial)
  AND ({unbounded:Bool} OR (slot, block_index, ix_index) > ({slot:UInt32}, {block_index:UInt32}, {ix_index:UInt16}))
ORDER BY mint, slot, block_index, ix_index
LIMIT {limit:UInt32}
