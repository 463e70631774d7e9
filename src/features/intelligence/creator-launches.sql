-- Number of other tokens that a creator launched, counted no further than `most`. Read in the table's own order.
SELECT toUInt32(count()) AS launches
FROM (
  SELECT DISTINCT mint
  FROM tokens_by_creator
  WHERE creator = toFixedString(base58Decode({creator:String}), 32)
    AND mint != toFixedString(base58Decode({mint:String}), 32)
    AND (slot <= {mark:UInt32} OR partial)
  LIMIT {most:UInt32}
)
