-- How far the table of cards is filled, of 256 steps.
SELECT max(steps) AS steps FROM fill_steps WHERE filled_table = 'token_card'
