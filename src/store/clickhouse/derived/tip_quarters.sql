-- Tips of a quarter of an hour by the wallet that got them. `sizes` of a slot are numbers of two bytes, one for each
-- transaction (kernel/three-digits.ts): here they are counted.
SELECT
  toStartOfFifteenMinutes(time) AS quarter,
  tip_wallet,
  sum(toUInt64(source.count)) AS count,
  sum(toUInt64(source.repeated)) AS repeated,
  sum(source.lamports) AS lamports,
  max(source.largest) AS largest,
  sumMap(
    arrayMap(at -> reinterpretAsUInt16(substring(source.sizes, 2 * at + 1, 2)), range(intDiv(length(source.sizes), 2))),
    arrayMap(at -> toUInt64(1), range(intDiv(length(source.sizes), 2)))
  ) AS sizes
FROM $rows AS source
GROUP BY quarter, tip_wallet
