-- Holdings of the wallets with the largest estimates of a mint, known ones first, in the order of its largest
-- holders: those of the first so many holders are among the first so many of these. Newest row wins (FINAL).
SELECT $columns
FROM holdings FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
ORDER BY estimate_known DESC, estimate DESC, base58Encode(wallet)
LIMIT {wallets:UInt32}
