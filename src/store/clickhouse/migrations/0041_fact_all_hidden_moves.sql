-- From here on facts name all tokens that are handed on inside a trade: of coins that a swap is quoted in as well,
-- shares that platforms take, and what is given for too little to be paid. Rows of before lack these, so that the day of
-- this entry is what is asked for; no table changes.
SELECT 1;
