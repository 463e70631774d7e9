-- Tokens of a mint that each wallet got and gave outside of trades: sends, burns, liquidity (making a pool
-- is a deposit; nobody made the pool of a migration), and deltas that events do not explain. Each table is
-- read in its own order; there is a row of sums for each wallet, and no more rows than asked for.
WITH toFixedString(base58Decode({mint:String}), 32) AS the_mint
SELECT
  wallet,
  sum(received) AS received,
  sum(sent) AS sent,
  sum(burnt) AS burnt,
  sum(provided) AS provided,
  sum(unexplained) AS unexplained
FROM (
  SELECT
    receiver AS wallet, toInt128(amount) AS received, toInt128(0) AS sent, toInt128(0) AS burnt,
    toInt128(0) AS provided, toInt128(0) AS unexplained
  FROM transfers WHERE mint = the_mint AND (slot <= {mark:UInt32} OR partial)
  UNION ALL
  SELECT sender, toInt128(0), toInt128(amount), toInt128(0), toInt128(0), toInt128(0)
  FROM transfers WHERE mint = the_mint AND (slot <= {mark:UInt32} OR partial)
  UNION ALL
  SELECT owner, toInt128(0), toInt128(0), toInt128(amount), toInt128(0), toInt128(0)
  FROM burns WHERE mint = the_mint AND (slot <= {mark:UInt32} OR partial)
  UNION ALL
  SELECT user, toInt128(0), toInt128(0), toInt128(0), if(is_deposit, toInt128(token_amount), -toInt128(token_amount)), toInt128(0)
  FROM liquidity WHERE mint = the_mint AND (slot <= {mark:UInt32} OR partial)
  UNION ALL
  SELECT creator, toInt128(0), toInt128(0), toInt128(0), toInt128(token_amount), toInt128(0)
  FROM pools WHERE mint = the_mint AND NOT canonical AND (slot <= {mark:UInt32} OR partial)
  UNION ALL
  SELECT owner, toInt128(0), toInt128(0), toInt128(0), toInt128(0), toInt128(delta)
  FROM unexplained_deltas WHERE mint = the_mint AND (slot <= {mark:UInt32} OR partial)
)
GROUP BY wallet
LIMIT {most:UInt32}
