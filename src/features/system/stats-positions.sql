-- Positions as they stand: of each wallet in each token and quote the newest row alone, whatever is still to be merged.
SELECT toUInt64(count()) AS positions FROM positions FINAL
