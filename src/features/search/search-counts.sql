-- Rows that tell of tokens' names; tokens at most, and those of them that ever traded.
SELECT
  (SELECT count() FROM token_creations) + (SELECT count() FROM token_latest) + (SELECT count() FROM hydrated_tokens) AS told,
  (SELECT uniq(mint) FROM token_latest) AS traded,
  traded + (SELECT count() FROM token_creations WHERE mint NOT IN (SELECT mint FROM token_latest)) AS tokens
