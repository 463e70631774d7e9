-- A wallet's sends at some places, each of one mint.
SELECT $columns
FROM transfers
WHERE slot BETWEEN arrayMin({slots:Array(UInt32)}) AND arrayMax({slots:Array(UInt32)})
  AND (mint, slot, block_index, ix_index) IN (
    SELECT
      toFixedString(base58Decode(tupleElement(place, 1)), 32),
      tupleElement(place, 2),
      tupleElement(place, 3),
      tupleElement(place, 4)
    FROM (
      SELECT arrayJoin(arrayZip(
        {mints:Array(String)}, {slots:Array(UInt32)}, {block_indexes:Array(UInt32)}, {ix_indexes:Array(UInt16)}
      )) AS place
    )
  )
  AND (
    sender = toFixedString(base58Decode({wallet:String}), 32)
    OR receiver = toFixedString(base58Decode({wallet:String}), 32)
  )
LIMIT 1 BY mint, slot, block_index, ix_index
LIMIT {limit:UInt32}
