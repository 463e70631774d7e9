-- What a reverted transaction's tip could have come to, and how many signatures its fee was for. Rows from before have
-- zeros: nothing was signed by nobody, so that `signatures` tells them apart.
ALTER TABLE attempts
  ADD COLUMN IF NOT EXISTS tip_payable UInt64 CODEC(ZSTD(1)) AFTER network_fee_more,
  ADD COLUMN IF NOT EXISTS signatures UInt8 CODEC(ZSTD(1)) AFTER tip_payable;
