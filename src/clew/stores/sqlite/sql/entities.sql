-- name: count
SELECT count(*) FROM entities;

-- name: known
SELECT number FROM entities WHERE number IN (SELECT value FROM json_each(?));

-- name: by_number
SELECT number, id, name, key, type, aliases, scope
FROM entities WHERE number IN (SELECT value FROM json_each(?));

-- name: by_key
SELECT key, entity FROM entity_keys WHERE key IN (SELECT value FROM json_each(?));

-- name: by_trigram
SELECT k.entity, k.key
FROM entity_trigrams t JOIN entity_keys k ON k.number = t.rowid
WHERE entity_trigrams MATCH ?;

-- name: by_prefix
SELECT number, name FROM entities WHERE key >= ? AND key < ? ORDER BY key, name;

-- name: identities
SELECT id, number, key, scope FROM entities WHERE id IN (SELECT value FROM json_each(?));

-- name: votes
SELECT entity, kind, key, form, count
FROM votes WHERE entity IN (SELECT value FROM json_each(?));

-- name: put_vote
INSERT INTO votes (entity, kind, key, form, count) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (entity, kind, key, form) DO UPDATE SET count = excluded.count;

-- name: remove_vote
DELETE FROM votes WHERE entity = ? AND kind = ? AND key = ? AND form = ?;

-- name: put
INSERT INTO entities (number, id, key, scope, name, type, aliases) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (number) DO UPDATE
SET name = excluded.name, type = excluded.type, aliases = excluded.aliases;

-- name: remove
DELETE FROM entities WHERE number = ?;

-- name: keys
SELECT entity, number, key
FROM entity_keys WHERE entity IN (SELECT value FROM json_each(?));

-- name: last_key
SELECT ifnull(max(number), 0) FROM entity_keys;

-- name: add_key
INSERT INTO entity_keys (number, key, entity) VALUES (?, ?, ?);

-- name: remove_key
DELETE FROM entity_keys WHERE number = ?;

-- name: add_trigrams
INSERT INTO entity_trigrams (rowid, key) VALUES (?, ?);

-- name: remove_trigrams
INSERT INTO entity_trigrams (entity_trigrams, rowid, key) VALUES ('delete', ?, ?);
