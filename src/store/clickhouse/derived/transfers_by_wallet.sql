-- Each transfer twice: once for the sender, once for the receiver.
SELECT
  if(is_sender, sender, receiver) AS wallet,
  slot, block_index, ix_index, time, partial,
  is_sender,
  mint,
  hidden
FROM $rows
ARRAY JOIN [true, false] AS is_sender
