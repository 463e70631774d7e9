-- Number of swaps of a mint.
SELECT toUInt64(count()) AS swaps
FROM swaps
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
