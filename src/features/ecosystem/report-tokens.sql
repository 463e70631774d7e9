-- Tokens created and migrations in a window.
SELECT
  toUInt32(ifNull((
    SELECT count()
    FROM tokens_by_creation
    WHERE slot >= {window_slot:UInt32}
      AND (slot <= {mark:UInt32} OR partial)
      AND toUInt32(time) >= {window:UInt32}
  ), 0)) AS new_tokens,
  toUInt32(ifNull((
    SELECT count()
    FROM token_graduations
    WHERE slot >= {window_slot:UInt32}
      AND (slot <= {mark:UInt32} OR partial)
      AND toUInt32(time) >= {window:UInt32}
  ), 0)) AS graduated
