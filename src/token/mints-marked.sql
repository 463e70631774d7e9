-- Marks of some mints that positions or holdings have to be folded again: the newest that is no answer, the newest about
-- positions, be it answered or not, and the newest that was answered; 0 where there never was one.
SELECT
  mint,
  maxIf(marks.mark, NOT done) AS newest,
  maxIf(marks.mark, NOT holdings_only) AS of_positions,
  maxIf(marks.mark, done) AS answered
FROM stale_positions AS marks
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
GROUP BY mint
