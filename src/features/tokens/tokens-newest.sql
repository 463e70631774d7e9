-- Tokens past a place in the order of their creation, newest first.
SELECT slot, block_index, ix_index, mint
FROM tokens_by_creation
WHERE (slot <= {mark:UInt32} OR partial)
  AND (
    {unbounded:Bool}
    OR (slot, block_index, ix_index) < ({slot:UInt32}, {block_index:UInt32}, {ix_index:UInt16})
    OR (
      (slot, block_index, ix_index) = ({slot:UInt32}, {block_index:UInt32}, {ix_index:UInt16})
      AND base58Encode(mint) > {mint:String}
    )
  )
  AND toUInt32(time) >= {from:UInt32}
  AND toUInt32(time) < {to:UInt32}
  AND ({any_status:Bool} OR (mint IN (SELECT mint FROM token_graduations WHERE NOT {any_status:Bool})) = {graduated:Bool})
ORDER BY slot DESC, block_index DESC, ix_index DESC, base58Encode(mint)
LIMIT {limit:UInt32}
