SELECT slot, block_index, ix_index, time, partial, mint, creator, name, symbol
FROM $rows
