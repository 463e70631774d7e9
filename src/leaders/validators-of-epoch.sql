-- Validators of an epoch. Where nobody was there to see them: of the last one before it, else of the first one behind it.
SELECT $columns
FROM epoch_validators FINAL
WHERE epoch = (
  SELECT if(countIf(epoch <= {epoch:UInt32}) > 0, maxIf(epoch, epoch <= {epoch:UInt32}), min(epoch))
  FROM epoch_validators
)
