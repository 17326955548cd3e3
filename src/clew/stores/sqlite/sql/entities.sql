-- name: count
SELECT count(*) FROM entities;

-- name: known
SELECT number FROM entities WHERE number IN (SELECT value FROM json_each(?));

-- name: by_number
SELECT number, id, name, key, type, aliases, scope, seal
FROM entities WHERE number IN (SELECT value FROM json_each(?));

-- name: by_key
SELECT number, key, entity, seal FROM entity_keys WHERE key IN (SELECT value FROM json_each(?));

-- name: by_trigrams
SELECT k.number, k.key, k.entity, k.seal
FROM entity_trigrams t JOIN entity_keys k ON k.number = t.rowid
WHERE entity_trigrams MATCH ? AND length(k.key) BETWEEN ? AND ?;

-- name: by_initials
SELECT number, key, entity, seal FROM entity_keys WHERE key >= ? AND key < ? AND key GLOB ?;

-- name: by_prefix
SELECT number, id, name, key, type, aliases, scope, seal
FROM entities WHERE key >= ? AND key < ? ORDER BY key, name;

-- name: by_id
SELECT id, number, key, scope, name, type, aliases
FROM entities WHERE id IN (SELECT value FROM json_each(?));

-- name: forms
SELECT entity, key, form, titles, mentions, names, aliases
FROM entity_forms WHERE entity IN (SELECT value FROM json_each(?));

-- name: types
SELECT entity, type, count
FROM entity_types WHERE entity IN (SELECT value FROM json_each(?));

-- name: put_form
INSERT INTO entity_forms (entity, key, form, titles, mentions, names, aliases)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (entity, key, form) DO UPDATE
SET titles = excluded.titles, mentions = excluded.mentions, names = excluded.names,
    aliases = excluded.aliases;

-- name: remove_form
DELETE FROM entity_forms WHERE entity = ? AND key = ? AND form = ?;

-- name: put_type
INSERT INTO entity_types (entity, type, count) VALUES (?, ?, ?)
ON CONFLICT (entity, type) DO UPDATE SET count = excluded.count;

-- name: remove_type
DELETE FROM entity_types WHERE entity = ? AND type = ?;

-- name: put
INSERT INTO entities (number, id, key, scope, name, type, aliases, seal)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (number) DO UPDATE
SET name = excluded.name, type = excluded.type, aliases = excluded.aliases,
    seal = excluded.seal;

-- name: remove
DELETE FROM entities WHERE number = ?;

-- name: row_of_key
SELECT number FROM entity_keys WHERE entity = ? AND key = ?;

-- name: last_key
SELECT ifnull(max(number), 0) FROM entity_keys;

-- name: add_key
INSERT INTO entity_keys (number, key, entity, seal) VALUES (?, ?, ?, ?);

-- name: remove_key
DELETE FROM entity_keys WHERE number = ?;

-- name: add_trigrams
INSERT INTO entity_trigrams (rowid, key) VALUES (?, ?);

-- name: remove_trigrams
INSERT INTO entity_trigrams (entity_trigrams, rowid, key) VALUES ('delete', ?, ?);

-- name: mention_votes
SELECT m.entity, d.number, m.key, m.surface
FROM documents d CROSS JOIN mentions m
    ON m.number BETWEEN d.first_mention AND d.first_mention + d.mentions - 1
WHERE d.number IN (SELECT value FROM json_each(?)) AND m.entity IN (SELECT value FROM json_each(?));

-- name: title_votes
SELECT DISTINCT t.entity, d.number
FROM documents d CROSS JOIN topics t
    ON t.number BETWEEN d.first_topic AND d.first_topic + d.topics - 1
WHERE d.number IN (SELECT value FROM json_each(?)) AND t.entity IN (SELECT value FROM json_each(?))
    AND t.source = 'title';

-- name: declared
SELECT document, entities FROM bodies WHERE document IN (SELECT value FROM json_each(?));
