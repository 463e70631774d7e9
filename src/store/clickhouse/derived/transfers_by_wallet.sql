-- Each transfer twice: once for the sender, once for the receiver.
SELECT
  if(is_sender, sender, receiver) AS wallet,
  slot, block_index, ix_index, time, partial,
  is_sender,
  if(is_sender, receiver, sender) AS counterparty,
  mint, amount, decimals, ambiguous
FROM $rows
ARRAY JOIN [true, false] AS is_sender
