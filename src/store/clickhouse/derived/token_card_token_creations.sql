-- The earliest creation of each mint.
SELECT
  mint,
  toFixedString('', 32) AS priced_in,
  if(partial, slot, 0) AS partial_slot,
  max((
    bitNot(bitShiftLeft(toUInt64(slot), 32) + bitShiftLeft(toUInt64(block_index), 14) + ix_index),
    time, signature, partial, creator, fee_creator, name, symbol, uri, bonding_curve, decimals, token_program,
    quote_mint, mayhem, cashback, holder_reward, creator_fee_bps, curve_depth, virtual_token_reserves,
    virtual_quote_reserves, real_token_reserves, supply
  )) AS creation
FROM $rows
GROUP BY mint, priced_in, partial_slot
