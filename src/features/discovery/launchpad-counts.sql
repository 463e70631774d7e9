-- What went on on the launchpad in two windows that follow each other: swaps and SOL by minutes, tokens and graduations by
-- minutes too. `newest` is the slot of the newest swap of the later one. A swap whose block
-- tells no time says nothing of when minutes begin.
WITH
  (
    SELECT (countIf(toUInt32(time) >= {from:UInt32}), countIf(toUInt32(time) < {from:UInt32}))
    FROM tokens_by_creation
    WHERE slot >= {from_slot:UInt32} AND (slot <= {mark:UInt32} OR partial) AND toUInt32(time) >= {before:UInt32}
      AND toUInt32(time) <= {now:UInt32}
  ) AS created,
  (
    SELECT (countIf(toUInt32(time) >= {from:UInt32}), countIf(toUInt32(time) < {from:UInt32}))
    FROM token_graduations
    WHERE slot >= {from_slot:UInt32} AND (slot <= {mark:UInt32} OR partial) AND toUInt32(time) >= {before:UInt32}
      AND toUInt32(time) <= {now:UInt32}
  ) AS migrated
SELECT
  toUInt64(sumIf(buys + sells, minute_at >= {from:UInt32})) AS trades,
  toUInt64(sumIf(buys + sells, minute_at < {from:UInt32})) AS trades_before,
  toInt128(sumIf(quote_amount, minute_at >= {from:UInt32} AND is_sol)) AS volume,
  toInt128(sumIf(quote_amount, minute_at < {from:UInt32} AND is_sol)) AS volume_before,
  toUInt32(max(newest_slot)) AS newest,
  toUInt32(ifNull(tupleElement(created, 1), 0)) AS new_tokens,
  toUInt32(ifNull(tupleElement(created, 2), 0)) AS new_tokens_before,
  toUInt32(ifNull(tupleElement(migrated, 1), 0)) AS graduated,
  toUInt32(ifNull(tupleElement(migrated, 2), 0)) AS graduated_before,
  toUInt32(ifNull((SELECT toUInt32(minute) FROM venue_minutes WHERE minute > 0 AND partial_slot = 0 ORDER BY minute LIMIT 1), 0)) AS first_minute
FROM (
  SELECT
    toUInt32(minute) AS minute_at,
    quote_mint = toFixedString('', 32) AS is_sol,
    venue_minutes.buys AS buys,
    venue_minutes.sells AS sells,
    venue_minutes.quote_amount AS quote_amount,
    venue_minutes.newest AS newest_slot
  FROM venue_minutes
  WHERE venue = 0 AND toUInt32(minute) >= {before:UInt32} AND toUInt32(minute) <= {now:UInt32}
)
