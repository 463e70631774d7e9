-- Costs and results of a mint's wallets in the order of everything that moved it, of those that moved tokens outside of
-- trades, no more than asked for. Newest row wins (FINAL).
SELECT wallet, slot, quote_mint, quotes, basis, basis_tokens, realized_pnl, pnl_known, whole
FROM holdings FINAL
WHERE mint = toFixedString(base58Decode({mint:String}), 32)
LIMIT {most:UInt32}
