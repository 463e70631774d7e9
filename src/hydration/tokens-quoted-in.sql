-- Mints last priced in one of some quotes.
SELECT DISTINCT mint
FROM token_latest
WHERE tupleElement(last_priced, 5) IN (SELECT toFixedString(base58Decode(arrayJoin({quotes:Array(String)})), 32))
LIMIT 10000
