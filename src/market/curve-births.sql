-- Tokens created in a span of seconds, of some slots and of single transactions.
SELECT mint, slot, time
FROM tokens_by_creation
WHERE slot > {after:UInt32}
  AND (slot <= {last:UInt32} OR partial)
  AND toUInt32(time) >= {since:UInt32}
  AND toUInt32(time) < {until:UInt32}
