-- name: is_there
SELECT 1 FROM sqlite_master WHERE name = 'staged';

-- name: space
SELECT fingerprint, dimensions FROM space;

-- name: set_space
INSERT INTO space (fingerprint, dimensions) VALUES (?, ?);

-- name: clear_space
DELETE FROM space;

-- name: clear
DELETE FROM staged;

-- name: count
SELECT count(*) FROM staged;

-- name: get
SELECT key, data FROM staged WHERE key IN (SELECT value FROM json_each(?));

-- name: put
INSERT INTO staged (key, data) VALUES (?, ?)
ON CONFLICT (key) DO UPDATE SET data = excluded.data;

-- name: remove
DELETE FROM staged WHERE key IN (SELECT value FROM json_each(?));
