-- From here on facts name all tokens that are handed on inside a trade: of coins that a swap is quoted in as well,
-- shares that platforms take, and what is given for too little to be paid. Rows of before lack these.
ALTER TABLE transfers COMMENT COLUMN hidden 'Handed on in a transaction that calls a venue.';

ALTER TABLE transfers_by_wallet COMMENT COLUMN hidden 'Handed on in a transaction that calls a venue.';
