-- When the oldest of some newest tokens was made; no row while there are fewer.
SELECT toUInt32(time) AS time
FROM tokens_by_creation
WHERE slot <= {mark:UInt32} OR partial
ORDER BY slot DESC, block_index DESC, ix_index DESC, base58Encode(mint)
LIMIT 1 OFFSET {older:UInt32}
