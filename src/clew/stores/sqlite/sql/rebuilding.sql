-- name: documents
SELECT id, chunks, units, mentions, topics, facts FROM documents ORDER BY number;

-- name: generation
SELECT generation FROM state;

-- name: set_generation
UPDATE state SET generation = ?;

-- name: waiting_replies
SELECT count(DISTINCT document_id), count(*) FROM replies r
WHERE document_id <> '' AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = r.document_id);

-- name: drop_trigrams
INSERT INTO entity_trigrams (entity_trigrams) VALUES ('delete-all');
