-- Pools that were made for a mint and that trade it, as far as seen or read from the chain, those it
-- graduated to first.
SELECT pool
FROM (
  SELECT pool, canonical FROM pools WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  UNION ALL
  SELECT pool, true AS canonical FROM token_graduations WHERE mint = toFixedString(base58Decode({mint:String}), 32)
  UNION ALL
  SELECT pool, true AS canonical FROM hydrated_tokens FINAL
  WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND pool != toFixedString('', 32)
)
GROUP BY pool
ORDER BY max(canonical) DESC, pool
LIMIT {most:UInt32}
