-- name: add
INSERT INTO decisions (id, key, name, into_key, into_name, type, doc_ids, scope)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (id) DO UPDATE SET
    key = excluded.key,
    name = excluded.name,
    into_key = excluded.into_key,
    into_name = excluded.into_name,
    type = excluded.type,
    doc_ids = excluded.doc_ids,
    scope = excluded.scope;

-- name: all
SELECT id, key, name, into_key, into_name, type, doc_ids, scope FROM decisions ORDER BY number;

-- name: remove
DELETE FROM decisions WHERE id = %(id)s;
