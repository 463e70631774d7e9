-- How many signatures a swap's network fee was for, as attempts have it: 0 in rows from before.
ALTER TABLE swaps ADD COLUMN IF NOT EXISTS signatures UInt8 CODEC(ZSTD(1)) AFTER network_fee_more;
