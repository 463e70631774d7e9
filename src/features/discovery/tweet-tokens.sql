-- The newest of some newest tokens whose document links a post.
WITH born AS (
  SELECT slot, block_index, ix_index, mint
  FROM tokens_by_creation
  WHERE slot <= {mark:UInt32} OR partial
  ORDER BY slot DESC, block_index DESC, ix_index DESC, base58Encode(mint)
  LIMIT {among:UInt32}
)
SELECT born.mint AS mint, documents.twitter AS twitter
FROM born
INNER JOIN (
  SELECT mint, twitter
  FROM token_metadata FINAL
  WHERE mint IN (SELECT mint FROM born) AND state = 'stored' AND match(twitter, {post:String})
) AS documents ON documents.mint = born.mint
ORDER BY born.slot DESC, born.block_index DESC, born.ix_index DESC, base58Encode(born.mint)
LIMIT {limit:UInt32}
