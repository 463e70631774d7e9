-- The newest graduations from a time on.
SELECT $columns
FROM token_graduations
WHERE slot >= {from_slot:UInt32} AND toUInt32(time) >= {from:UInt32} AND (slot <= {mark:UInt32} OR partial)
ORDER BY slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
