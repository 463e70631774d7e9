-- Validators as they were last known in epochs: one epoch for each validator asked for.
SELECT $columns
FROM epoch_validators FINAL
WHERE (identity, epoch) IN (
  SELECT arrayJoin(arrayZip(
    arrayMap(each -> toFixedString(base58Decode(each), 32), {identities:Array(String)}), {epochs:Array(UInt32)}
  ))
)
