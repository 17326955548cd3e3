-- name: documents
SELECT id, chunks, units, mentions, topics, facts FROM documents ORDER BY number;

-- name: empty
DELETE FROM {table};

-- name: orphans
SELECT count(*) FROM {table} t
WHERE NOT EXISTS (SELECT FROM {owner} o WHERE o.number = t.{column});

-- name: lacking
SELECT count(*) FROM {layer}s r
WHERE NOT EXISTS (SELECT FROM {layer}_vectors v WHERE v.space = %(space)s AND v.number = r.number);
