-- Trades in SOL on the launchpad and its AMM that are larger than so many lamports, between two times, newest first;
-- none of the protocol's own.
SELECT $columns
FROM swaps
WHERE slot >= {from_slot:UInt32}
  AND toUInt32(time) >= {from:UInt32}
  AND toUInt32(time) < {to:UInt32}
  AND (slot <= {mark:UInt32} OR partial)
  AND quote_amount > {above:UInt64}
  AND quote_mint = toFixedString('', 32)
  AND venue IN (0, 1)
  AND NOT protocol_actor
ORDER BY slot DESC, block_index DESC, ix_index DESC
LIMIT {limit:UInt32}
