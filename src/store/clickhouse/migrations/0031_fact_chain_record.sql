-- Which chain the blocks of this database are of: a genesis hash in base58, or `simulator`. One row, written
-- once; `found_by` says how it was known.
CREATE TABLE IF NOT EXISTS chain_record (
  chain String,
  found_by String,
  at DateTime('UTC') DEFAULT now()
)
ENGINE = ReplacingMergeTree
ORDER BY chain;
