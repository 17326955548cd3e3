-- name: remove_vectors
DELETE FROM {layer}_vectors WHERE document = ANY (%(documents)s);

-- name: remove_terms
DELETE FROM {layer}_terms WHERE document = ANY (%(documents)s);

-- name: remove_records
DELETE FROM {table} t USING documents d
WHERE d.number = ANY (%(documents)s)
    AND t.number BETWEEN d.first_{record} AND d.first_{record} + d.{table} - 1;

-- name: remove_merges
DELETE FROM merges WHERE document = ANY (%(documents)s);

-- name: remove_bodies
DELETE FROM bodies WHERE document = ANY (%(documents)s);

-- name: remove_documents
DELETE FROM documents WHERE number = ANY (%(documents)s);

-- name: remove_other_spaces
DELETE FROM {layer}_vectors WHERE space <> %(space)s;

-- name: remember
INSERT INTO replies (document_id, key, reply) VALUES (%s, %s, %s)
ON CONFLICT (document_id, key) DO UPDATE SET reply = excluded.reply;

-- name: undone
SELECT document_id, merge_id FROM undone_merges WHERE document_id = ANY (%(ids)s);

-- name: keep_undone
INSERT INTO undone_merges (document_id, merge_id) VALUES (%(document_id)s, %(merge_id)s);

-- name: forget_undone
DELETE FROM undone_merges WHERE document_id = ANY (%(ids)s);

-- name: forget
DELETE FROM replies WHERE document_id = ANY (%(ids)s);

-- name: forget_others
DELETE FROM replies WHERE document_id = %s AND key <> ALL (%s);

-- A prompt may hold texts of several documents: the replies to it are shared by these.
-- name: replies_shared
SELECT document_id, key FROM replies
WHERE key IN (SELECT key FROM replies WHERE document_id = ANY (%(ids)s))
    AND document_id <> ALL (%(ids)s);

-- name: reply_keys
SELECT d.id, b.reply_keys FROM documents d JOIN bodies b ON b.document = d.number
WHERE d.id = ANY (%(ids)s);

-- name: forget_one
DELETE FROM replies WHERE document_id = %s AND key = %s;

-- name: take_replies
DELETE FROM replies WHERE document_id = ANY (%(ids)s) RETURNING document_id, key, reply;

-- name: take_undone
DELETE FROM undone_merges WHERE document_id = ANY (%(ids)s) RETURNING document_id, merge_id;

-- name: put_undone
INSERT INTO undone_merges (document_id, merge_id) VALUES (%s, %s) ON CONFLICT DO NOTHING;
