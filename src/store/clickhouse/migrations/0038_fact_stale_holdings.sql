-- Which slots a mark is about, so that wallets without a step in them are known to be right; and whether it is about holdings
-- alone. Marks from before have zeros: they are about any slot, and about positions too.
ALTER TABLE stale_positions
  ADD COLUMN IF NOT EXISTS first_slot UInt32 CODEC(T64, ZSTD(1)) AFTER slot,
  ADD COLUMN IF NOT EXISTS holdings_only Bool CODEC(ZSTD(1)) AFTER first_slot;
