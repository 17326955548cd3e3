-- name: chunks
SELECT count(*) FROM chunks c
WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.number = c.document);

-- name: bodies
SELECT count(*) FROM bodies b
WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.number = b.document);

-- name: units
SELECT count(*) FROM units u
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.number = u.chunk);

-- name: mentions
SELECT count(*) FROM mentions m
WHERE NOT EXISTS (SELECT 1 FROM units u WHERE u.number = m.unit);

-- name: topics
SELECT count(*) FROM topics t
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.number = t.chunk);

-- name: facts
SELECT count(*) FROM facts f
WHERE NOT EXISTS (SELECT 1 FROM units u WHERE u.number = f.unit);

-- name: merges
SELECT count(*) FROM merges m
WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.number = m.document);

-- name: entity_keys
SELECT count(*) FROM entity_keys k
WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.number = k.entity);

-- name: entity_forms
SELECT count(*) FROM entity_forms f
WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.number = f.entity);

-- name: entity_types
SELECT count(*) FROM entity_types t
WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.number = t.entity);

-- name: segment_arrays
SELECT count(*) FROM segment_arrays a
WHERE NOT EXISTS (SELECT 1 FROM segments s WHERE s.number = a.segment);

-- name: segment_terms
SELECT count(*) FROM segment_terms t
WHERE NOT EXISTS (SELECT 1 FROM segments s WHERE s.number = t.segment);
