-- Number of wallets that some funders are known to have made: in all, and on their busiest day.
SELECT funder, toUInt32(sum(made)) AS wallets, toUInt32(max(made)) AS busiest_day
FROM (
  SELECT funder, toDate(time) AS day, count() AS made
  FROM fundings_by_funder
  WHERE funder IN (SELECT toFixedString(base58Decode(arrayJoin({funders:Array(String)})), 32))
    AND created_account
    AND (slot <= {mark:UInt32} OR partial)
  GROUP BY funder, day
)
GROUP BY funder
LIMIT {limit:UInt32}
