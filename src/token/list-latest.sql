-- The newest swap of some mints, and the newest that prices each: the rollup knows their positions,
-- the swaps are looked up there.
SELECT
  mint, slot, block_index, ix_index, time, venue, pool, quote_mint, quote_decimals, token_decimals, price_quote,
  price_token, real_quote_reserves, real_token_reserves, reserves_known, priced
FROM swaps
WHERE (mint, slot, block_index, ix_index) IN (
  SELECT
    mint,
    toUInt32(bitShiftRight(at, 32)) AS slot,
    toUInt32(bitAnd(bitShiftRight(at, 14), 262143)) AS block_index,
    toUInt16(bitAnd(at, 16383)) AS ix_index
  FROM (
    SELECT mint, arrayJoin([tupleElement(max(last_trade), 1), tupleElement(max(last_priced), 1)]) AS at
    FROM token_latest
    WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
    GROUP BY mint
  )
)
