-- Bytes that each table takes on disk.
SELECT
  table AS name,
  sum(bytes_on_disk) AS bytes,
  sum(data_compressed_bytes) AS compressed,
  sum(data_uncompressed_bytes) AS uncompressed,
  count() AS parts
FROM system.parts
WHERE active AND database = currentDatabase()
GROUP BY table
ORDER BY bytes DESC, name
