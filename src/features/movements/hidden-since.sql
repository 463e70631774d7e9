-- Unix second since which sends inside trades are told: 0 where that is since ever. They came with a migration, which
-- a store that is new has within the first minutes of its life, before any fact.
SELECT toUInt32(if(dateDiff('second', begun, told) > 600, told, toDateTime(0))) AS since
FROM (
  SELECT min(applied_at) AS begun, maxIf(applied_at, name = '0032_fact_hidden_transfers') AS told
  FROM migrations
)
