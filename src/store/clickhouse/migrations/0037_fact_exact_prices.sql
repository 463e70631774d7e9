-- A price is the double next to the first 15 digits of its ratio, rounded half up in whole numbers, so that candles
-- print what their swaps print. Computed, not stored: swaps from before have it too, candles that were folded of them keep
-- their doubles. `shift` digits are moved behind the point, so that 15 of them stand before it.
ALTER TABLE swaps MODIFY COLUMN price Float64 ALIAS if(price_quote = 0 OR price_token = 0, 0, arrayMap(
  (quote, token, guess) -> arrayMap(
    first -> arrayMap(
      shift -> arrayMap(
        (above, below) -> if(
          shift >= 0,
          toFloat64(intDiv(2 * above + below, 2 * below)) / (toFloat64(intExp10(least(shift, 18))) * toFloat64(intExp10(greatest(shift - 18, 0)))),
          toFloat64(intDiv(2 * above + below, 2 * below)) * toFloat64(intExp10(-shift))
        ),
        [quote * toUInt128(intExp10(greatest(least(shift, 18), 0))) * toUInt128(intExp10(greatest(shift - 18, 0)))],
        [token * toUInt128(intExp10(greatest(-shift, 0)))]
      )[1],
      [guess - toInt32(first >= 1000000000000000) + toInt32(first < 100000000000000)]
    )[1],
    [intDiv(
      quote * toUInt128(intExp10(greatest(least(guess, 18), 0))) * toUInt128(intExp10(greatest(guess - 18, 0))),
      token * toUInt128(intExp10(greatest(-guess, 0)))
    )]
  )[1],
  [toUInt128(price_quote)],
  [toUInt128(greatest(price_token, 1))],
  [toInt32(14 - floor(log10(greatest(price_quote, 1) / greatest(price_token, 1))))]
)[1]);
