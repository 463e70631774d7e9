-- Tokens that wallets hand each other inside a transaction that calls a venue. Rows of before are none of them.
ALTER TABLE transfers ADD COLUMN IF NOT EXISTS hidden Bool CODEC(ZSTD(1)) AFTER ambiguous;

ALTER TABLE transfers_by_wallet ADD COLUMN IF NOT EXISTS hidden Bool CODEC(ZSTD(1)) AFTER mint;
