-- Creations of some mints: the first one seen of each.
SELECT
  mint, slot, block_index, ix_index, time, signature, partial, creator, fee_creator, name, symbol, uri,
  bonding_curve, decimals, token_program, quote_mint, mayhem, cashback, holder_reward, creator_fee_bps,
  curve_depth, virtual_token_reserves, virtual_quote_reserves, real_token_reserves, supply
FROM token_creations
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint, slot, block_index, ix_index
LIMIT 1 BY mint
