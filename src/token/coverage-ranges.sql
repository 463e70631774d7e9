-- The slot ranges that are whole, the newest ones.
SELECT first_slot, last_slot FROM coverage FINAL ORDER BY first_slot DESC LIMIT {most:UInt32}
