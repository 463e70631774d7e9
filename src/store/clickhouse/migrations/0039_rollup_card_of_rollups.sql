-- Cards that were filled out of the facts alone lack what had left the swaps by then: they are filled in again, out of the
-- rollups too. A store without a block has nothing to fill in.
DELETE FROM fill_steps WHERE filled_table = 'token_card';

INSERT INTO fill_steps (filled_table, steps)
SELECT 'token_card', 256 WHERE (SELECT count() FROM coverage) = 0 AND (SELECT count() FROM market_latest) = 0;
