-- name: state
SELECT generation, fingerprint, dimensions FROM state;

-- name: sealed_state
SELECT generation, fingerprint, dimensions, next_document, next_chunk, next_unit, next_entity,
    next_mention, next_topic, next_fact
FROM state;

-- name: given_seal
SELECT seal FROM state;

-- name: set_seal
UPDATE state SET seal = ?;

-- name: list
SELECT number, first_document, last_document, documents, records
FROM segments ORDER BY first_document;

-- name: add
INSERT INTO segments (first_document, last_document, documents, records) VALUES (?, ?, ?, ?);

-- name: remove
DELETE FROM segments WHERE number = ?;

-- name: arrays
SELECT name, data FROM segment_arrays WHERE segment = ?;

-- name: array
SELECT data FROM segment_arrays WHERE segment = ? AND name = ?;

-- name: cards
SELECT data FROM segment_arrays
WHERE name = 'cards' AND segment IN (SELECT number FROM segments)
ORDER BY segment;

-- name: add_array
INSERT INTO segment_arrays (segment, name, data) VALUES (?, ?, ?);

-- name: remove_array
DELETE FROM segment_arrays WHERE segment = ? AND name = ?;

-- name: remove_arrays
DELETE FROM segment_arrays WHERE segment = ?;

-- name: add_terms
INSERT INTO segment_terms (segment, layer, first_term, data) VALUES (?, ?, ?, ?);

-- name: remove_terms
DELETE FROM segment_terms WHERE segment = ?;

-- name: terms_directory
SELECT first_term, number FROM segment_terms
WHERE segment = ? AND layer = ? ORDER BY first_term;

-- name: all_terms
SELECT data FROM segment_terms WHERE segment = ? AND layer = ? ORDER BY first_term;

-- name: terms
SELECT number, data FROM segment_terms
WHERE number IN (SELECT value FROM json_each(?));

-- name: dead
SELECT number FROM dead_documents ORDER BY number;

-- name: add_dead
INSERT INTO dead_documents (number) VALUES (?);

-- name: forget_dead
DELETE FROM dead_documents WHERE number BETWEEN ? AND ?;

-- name: vector_files
SELECT number, layer, rows FROM vector_files ORDER BY number;

-- name: add_vector_file
INSERT INTO vector_files (layer, rows) VALUES (?, 0);

-- name: set_vector_rows
UPDATE vector_files SET rows = ? WHERE number = ?;

-- name: remove_vector_files
DELETE FROM vector_files;

-- name: forget_trigrams
INSERT INTO entity_trigrams (entity_trigrams) VALUES ('optimize');
