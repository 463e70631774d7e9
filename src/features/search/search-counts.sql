-- Rows that tell of tokens' names; tokens, and those of them that ever traded, both to a percent or so.
SELECT
  (SELECT count() FROM token_creations) + (SELECT count() FROM token_latest) + (SELECT count() FROM hydrated_tokens) AS told,
  (SELECT uniq(mint) FROM token_latest) AS traded,
  (SELECT uniq(mint) FROM (SELECT mint FROM token_creations UNION ALL SELECT mint FROM token_latest)) AS tokens
