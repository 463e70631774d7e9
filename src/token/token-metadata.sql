-- Documents of some mints, as last read.
SELECT
  mint, checked_at, retry_at, state, tries, outcome, uri, image, twitter, website, telegram, description
FROM token_metadata FINAL
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
