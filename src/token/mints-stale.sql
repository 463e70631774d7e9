-- Those of some mints whose positions or holdings wait to be folded again: their newest mark is not answered.
SELECT mint
FROM stale_positions AS marks
WHERE mint IN (SELECT toFixedString(base58Decode(arrayJoin({mints:Array(String)})), 32))
GROUP BY mint
HAVING maxIf(marks.mark, NOT done) > maxIf(marks.mark, done)
