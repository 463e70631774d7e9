SELECT funder, slot, block_index, ix_index, time, partial, created_account FROM $rows
