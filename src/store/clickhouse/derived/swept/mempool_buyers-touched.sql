-- Mints whose rows the slots from {first} to {last} may change: born there, tried there before their
-- creation, or bought there, sooner than it is known so far, by somebody whose attempts came too soon.
SELECT DISTINCT mint FROM (
  SELECT mint FROM attempts
  WHERE side = 1 AND NOT partial AND mint IN (
    SELECT mint FROM tokens_by_creation WHERE slot BETWEEN {first:UInt32} AND {last:UInt32} AND NOT partial
  )
  UNION ALL
  SELECT mint FROM attempts
  WHERE side = 1 AND NOT partial AND slot BETWEEN {first:UInt32} AND {last:UInt32} AND mint IN (
    SELECT mint FROM tokens_by_creation WHERE slot > {first:UInt32} AND NOT partial
  )
  UNION ALL
  SELECT mint FROM swaps
  WHERE is_buy AND NOT partial AND slot BETWEEN {first:UInt32} AND {last:UInt32} AND (mint, trader) IN (
    SELECT mint, wallet FROM mempool_buyers FINAL WHERE NOT landed OR landed_slot > {first:UInt32}
  )
)
