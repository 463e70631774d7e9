-- Mints, of those given, that somebody tried to trade.
SELECT mint
FROM attempts
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND (slot <= {mark:UInt32} OR partial)
LIMIT 1 BY mint
