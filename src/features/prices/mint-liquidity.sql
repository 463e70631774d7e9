-- Deposits into pools of a mint and withdrawals from them, the newest first.
SELECT pool, slot, block_index, ix_index, time, is_deposit, token_amount, quote_amount
FROM liquidity
WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND (slot <= {mark:UInt32} OR partial)
ORDER BY mint DESC, slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
