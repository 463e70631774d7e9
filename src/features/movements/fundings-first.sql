-- The first known funding of some wallets: the earliest that any block or look-up told. Nodes do not tell the place in its
-- block of one that was looked up, so that it is provisional, as of one without its block.
SELECT wallet, slot, block_index, ix_index, time, signature, partial, funder, amount, created_account, looked_up
FROM (
  SELECT wallet, slot, block_index, ix_index, time, signature, partial, funder, amount, created_account, false AS looked_up
  FROM fundings
  WHERE wallet IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32))
    AND (slot <= {mark:UInt32} OR partial)
  ORDER BY wallet, slot, block_index, ix_index
  LIMIT 1 BY wallet
  UNION ALL
  SELECT
    wallet, slot, toUInt32(0) AS block_index, ix_index, time, signature, true AS partial, funder, amount, true AS created_account,
    true AS looked_up
  FROM funding_lookups FINAL
  WHERE wallet IN (SELECT toFixedString(base58Decode(arrayJoin({wallets:Array(String)})), 32)) AND found
)
ORDER BY wallet, slot, looked_up, block_index, ix_index
LIMIT 1 BY wallet
