-- Validators of an epoch; of the last one before it where nobody was there to see them.
SELECT $columns
FROM epoch_validators FINAL
WHERE epoch = (SELECT max(epoch) FROM epoch_validators WHERE epoch <= {epoch:UInt32})
