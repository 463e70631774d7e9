-- The newest mark that positions of a mint have to be folded again, and the newest one that was
-- answered; 0 where there never was one. Marks about holdings alone leave positions right.
SELECT toUInt32(maxIf(s.mark, NOT s.holdings_only)) AS newest, toUInt32(maxIf(s.mark, s.done)) AS answered
FROM stale_positions AS s
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
