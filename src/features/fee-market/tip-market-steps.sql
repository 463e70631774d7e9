-- Tips of a window by step and provider: whole quarters of an hour out of the rollup, the edges out of slots. `sizes` counts
-- transactions by what they tipped the provider, to three digits (kernel/three-digits.ts): percentiles are by nearest rank.
SELECT
  start,
  provider,
  transactions AS count,
  lamports,
  most AS largest,
  arraySum(tupleElement(sized, 2)) AS known,
  tupleElement(sized, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(known + 3, 4), ranks)] AS p25,
  tupleElement(sized, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(known + 1, 2), ranks)] AS p50,
  tupleElement(sized, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(3 * known + 3, 4), ranks)] AS p75,
  tupleElement(sized, 1)[arrayFirstIndex(upTo -> upTo >= intDiv(19 * known + 19, 20), ranks)] AS p95
FROM (
  SELECT
    start,
    provider,
    sum(counted) AS transactions,
    toInt128(sum(tipped)) AS lamports,
    max(top) AS most,
    sumMap(codes, numbers) AS sized,
    arrayCumSum(tupleElement(sized, 2)) AS ranks
  FROM (
    SELECT
      toUInt32(intDiv(toUInt32(quarter), {step:UInt32}) * {step:UInt32}) AS start,
      transform(
        tip_wallet,
        arrayMap(wallet -> toFixedString(base58Decode(wallet), 32), {wallets:Array(String)}),
        {providers:Array(UInt8)},
        toUInt8(255)
      ) AS provider,
      toUInt64(tip_quarters.count - tip_quarters.repeated) AS counted,
      toUInt128(tip_quarters.lamports) AS tipped,
      tip_quarters.largest AS top,
      tupleElement(tip_quarters.sizes, 1) AS codes,
      tupleElement(tip_quarters.sizes, 2) AS numbers
    FROM tip_quarters
    WHERE toUInt32(quarter) >= {first_quarter:UInt32} AND toUInt32(quarter) < {quarter:UInt32}
    UNION ALL
    SELECT
      toUInt32(intDiv(toUInt32(time), {step:UInt32}) * {step:UInt32}),
      transform(
        tip_wallet,
        arrayMap(wallet -> toFixedString(base58Decode(wallet), 32), {wallets:Array(String)}),
        {providers:Array(UInt8)},
        toUInt8(255)
      ),
      toUInt64(slot_tips.count - slot_tips.repeated),
      toUInt128(slot_tips.lamports),
      slot_tips.largest,
      arrayMap(
        at -> reinterpretAsUInt16(substring(slot_tips.sizes, 2 * at + 1, 2)),
        range(intDiv(length(slot_tips.sizes), 2))
      ),
      arrayMap(at -> toUInt64(1), range(intDiv(length(slot_tips.sizes), 2)))
    FROM slot_tips
    WHERE (
      slot BETWEEN {from_slot:UInt32} AND {last_before:UInt32}
      AND toUInt32(time) >= {from:UInt32} AND toUInt32(time) < {first_quarter:UInt32}
    ) OR (
      slot BETWEEN {quarter_slot:UInt32} AND {mark:UInt32}
      AND toUInt32(time) >= {quarter:UInt32} AND toUInt32(time) <= {now:UInt32}
    )
  )
  GROUP BY start, provider
)
