-- Of some mints the newest swap that prices each, and the newest that does not, among those up to the mark from a slot on:
-- the rollup does not know them where newer ones are in it.
SELECT
  mint, slot, block_index, ix_index, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote,
  price_token, real_quote_reserves, real_token_reserves, reserves_known, priced
FROM swaps
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND slot >= {since:UInt32} AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT 1 BY mint, priced
