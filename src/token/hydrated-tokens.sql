-- Facts of some mints out of the chain's accounts, for those that were found.
SELECT
  mint, slot, checked_at, retry_at, found, named, name, symbol, uri, decimals, supply, token_program, bonding_curve,
  complete, fee_creator, quote_mint, mayhem, cashback, holder_reward, creator_fee_bps, curve_depth, pool
FROM hydrated_tokens FINAL
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32)) AND found
