-- Images of some mints, as far as their documents name one.
SELECT mint, image
FROM token_metadata FINAL
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
  AND state = 'stored' AND image != ''
