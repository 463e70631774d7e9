SELECT * FROM $rows
