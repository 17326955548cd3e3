-- name: state
SELECT next_document, next_chunk, next_unit, next_entity, next_mention, next_topic, next_fact
FROM state;

-- name: set_state
UPDATE state SET next_document = ?, next_chunk = ?, next_unit = ?, next_entity = ?,
    next_mention = ?, next_topic = ?, next_fact = ?;

-- name: next_generation
UPDATE state SET generation = generation + 1, fingerprint = ?, dimensions = ?;

-- name: generation
SELECT generation FROM state;

-- name: add_document
INSERT INTO documents VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);

-- name: add_body
INSERT INTO bodies VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: add_chunk
INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: add_unit
INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: add_mention
INSERT INTO mentions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: add_topic
INSERT INTO topics VALUES (?, ?, ?, ?, ?, ?);

-- name: add_fact
INSERT INTO facts VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);

-- name: add_merge
INSERT INTO merges VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: remove_document
DELETE FROM documents WHERE number = ?;

-- name: remove_body
DELETE FROM bodies WHERE document = ?;

-- name: remove_merges
DELETE FROM merges WHERE document = ?;

-- name: remove_chunks
DELETE FROM chunks WHERE number BETWEEN ? AND ?;

-- name: remove_units
DELETE FROM units WHERE number BETWEEN ? AND ?;

-- name: remove_mentions
DELETE FROM mentions WHERE number BETWEEN ? AND ?;

-- name: remove_topics
DELETE FROM topics WHERE number BETWEEN ? AND ?;

-- name: remove_facts
DELETE FROM facts WHERE number BETWEEN ? AND ?;

-- name: remember
INSERT INTO replies (document_id, key, reply, seal) VALUES (?, ?, ?, ?)
ON CONFLICT (document_id, key) DO UPDATE SET reply = excluded.reply, seal = excluded.seal;

-- name: undone
SELECT merge_id FROM undone_merges WHERE document_id = ?;

-- name: keep_undone
INSERT INTO undone_merges (document_id, merge_id) VALUES (?, ?);

-- name: forget_undone
DELETE FROM undone_merges WHERE document_id = ?;

-- name: forget
DELETE FROM replies WHERE document_id = ?;

-- A prompt may hold texts of several documents: what came of it goes with any of them, unless the
-- records of another were made from it.
-- name: forget_told
DELETE FROM replies
WHERE key IN (SELECT key FROM replies WHERE document_id = ?1) AND NOT EXISTS (
    SELECT 1 FROM documents d JOIN bodies b ON b.document = d.number, json_each(b.reply_keys) k
    WHERE d.id = replies.document_id AND d.id <> ?1 AND k.value = replies.key
);

-- name: forget_others
DELETE FROM replies
WHERE document_id = ? AND key NOT IN (SELECT value FROM json_each(?));
