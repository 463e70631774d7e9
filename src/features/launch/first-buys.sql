-- The first buy of each of the first wallets that bought a mint, in order. Read in the table's own
-- order, so that it ends with the last wallet that is asked for; a token with fewer is read to its end.
-- With buffering the server would read everything ahead, as it does not see the LIMIT behind a LIMIT BY.
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, venue, trader, quote_mint, quote_decimals,
  token_decimals, quote_amount, token_amount, price_quote, price_token, bundled
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  AND (slot <= {mark:UInt32} OR partial)
  AND is_buy AND NOT protocol_actor
ORDER BY mint, slot, block_index, ix_index
LIMIT 1 BY trader
LIMIT {limit:UInt32}
SETTINGS read_in_order_use_buffering = 0
