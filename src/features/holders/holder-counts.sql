-- By how many the wallets that hold a mint became more or fewer in each bucket; everything before `from` is
-- one bucket. A wallet holds while it has bought more than it sold: where it stands at the end of a bucket
-- follows from sums alone. The protocol's own wallets trade, but hold nothing.
WITH toFixedString(base58Decode({mint:String}), 32) AS the_mint
SELECT start, toInt64(sum(change)) AS change
FROM (
  SELECT
    start,
    sum(delta) OVER (PARTITION BY trader ORDER BY start) AS balance,
    toInt32(balance > 0) - toInt32(balance - delta > 0) AS change
  FROM (
    SELECT
      trader,
      toUInt32(greatest(toUInt32(time) - toUInt32(time) % {step:UInt32}, {from:UInt32} - {step:UInt32})) AS start,
      sum(if(is_buy, toInt128(token_amount), -toInt128(token_amount))) AS delta
    FROM swaps
    WHERE mint = the_mint
      AND NOT protocol_actor
      AND (slot <= {mark:UInt32} OR partial)
    GROUP BY trader, start
  )
)
GROUP BY start
ORDER BY start
LIMIT {limit:UInt32}
