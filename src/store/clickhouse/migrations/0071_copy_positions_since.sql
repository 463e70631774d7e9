-- The slot of a position's first trade stands in its copy by wallet as well: whether a wallet had traded up to a slot is then
-- told without a look at each of its positions. Of positions that were there before it is 0: they are older than any answer.
ALTER TABLE positions_by_trader ADD COLUMN IF NOT EXISTS first_slot UInt32 DEFAULT 0 CODEC(T64, ZSTD(1));
