-- name: add
INSERT INTO decisions (id, key, name, into_key, into_name, type, doc_ids, scope, seal)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    key = excluded.key,
    name = excluded.name,
    into_key = excluded.into_key,
    into_name = excluded.into_name,
    type = excluded.type,
    doc_ids = excluded.doc_ids,
    scope = excluded.scope,
    seal = excluded.seal;

-- name: all
SELECT id, key, name, into_key, into_name, type, doc_ids, scope, seal FROM decisions ORDER BY number;

-- name: remove
DELETE FROM decisions WHERE id = ?;
