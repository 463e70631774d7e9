-- Since when all movements are in the holdings, Unix seconds; 0 where they are from the first block on, and the
-- latest time there is while that was not noted.
SELECT if(count() = 0, toUInt32(4294967295), toUInt32(max(since))) AS since
FROM holdings_since
