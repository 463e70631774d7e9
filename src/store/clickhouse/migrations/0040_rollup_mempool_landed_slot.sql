-- The slot of a wallet's first buy of the token, so that an answer as of an earlier slot does not tell of it. 0 in rows from
-- before that landed: where is not known, and long ago.
ALTER TABLE mempool_buyers ADD COLUMN IF NOT EXISTS landed_slot UInt32 CODEC(ZSTD(1)) AFTER landed;
