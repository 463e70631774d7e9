-- Facts of some pools out of the chain's accounts, for those that were found.
SELECT pool, quote_mint, inverted, canonical, creator
FROM hydrated_pools FINAL
WHERE pool IN (SELECT toFixedString(base58Decode(arrayJoin({pools:Array(String)})), 32)) AND found
