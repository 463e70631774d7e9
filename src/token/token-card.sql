-- Cards of some mints: rows of whole blocks apart from those of single transactions, each quote that priced the mint
-- apart from the others. A tuple's columns follow each other in an answer as columns do.
SELECT
  mint,
  priced_in,
  partial_slot > 0 AS is_partial,
  max(newest),
  max(newest_priced),
  max(highest),
  max(creation),
  max(completion),
  max(graduation),
  max(creator_change)
FROM token_card
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
GROUP BY mint, priced_in, is_partial
ORDER BY mint, priced_in, is_partial
