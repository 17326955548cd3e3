-- Names with accents are found without them too.

CREATE TEMP TABLE plain AS
SELECT DISTINCT entity, without_accents(key) AS key
FROM entity_keys
WHERE without_accents(key) <> key;
DELETE FROM plain
WHERE EXISTS (SELECT 1 FROM entity_keys k WHERE k.entity = plain.entity AND k.key = plain.key);
INSERT INTO entity_keys (key, entity) SELECT key, entity FROM plain ORDER BY entity, key;
INSERT INTO entity_trigrams (rowid, key)
SELECT k.number, ' ' || k.key || ' '
FROM plain p JOIN entity_keys k ON k.entity = p.entity AND k.key = p.key;
DROP TABLE plain;
