-- name: documents
SELECT number, id, doc_id, title, source, media_type, scope, metadata, pages, content_hash,
    source_hash, seal
FROM documents;

-- name: documents_by_number
SELECT number, id, doc_id, title, source, media_type, scope, metadata, pages, content_hash,
    source_hash, seal
FROM documents WHERE number IN (SELECT value FROM json_each(?));

-- name: described
SELECT number, id, doc_id, title, source, media_type, scope, metadata, pages, content_hash,
    source_hash, seal
FROM documents WHERE ? IS NULL OR scope = ? ORDER BY number;

-- name: scope
SELECT number FROM documents WHERE scope = ? ORDER BY number;

-- name: bodies
SELECT document, text, blocks, seal FROM bodies WHERE document IN (SELECT value FROM json_each(?));

-- name: spans_in_turn
SELECT number, id, first_chunk, chunks, first_unit, units, first_mention, mentions, first_topic,
    topics, first_fact, facts, spans_seal
FROM documents ORDER BY number;

-- name: spans
SELECT number, id, first_chunk, chunks, first_unit, units, first_mention, mentions, first_topic,
    topics, first_fact, facts, spans_seal
FROM documents WHERE id = ?;

-- name: rests
SELECT document, entities, reply_keys, entities_seal
FROM bodies WHERE document BETWEEN ? AND ?;

-- name: chunks
SELECT c.number, c.id, d.id, c.position, c.start, c."end", c.text, c.heading_path, c.page,
    c.context, c.metadata, c.seal
FROM chunks c JOIN documents d ON d.number = c.document
WHERE c.number IN (SELECT value FROM json_each(?));

-- name: units
SELECT u.number, u.id, d.id, c.id, u.start, u."end", u.text, u.context, u.verbatim, u.origin,
    u.degraded, u.seal
FROM units u JOIN chunks c ON c.number = u.chunk JOIN documents d ON d.number = c.document
WHERE u.number IN (SELECT value FROM json_each(?));

-- name: mentions_in_turn
SELECT m.id, u.id, e.id, m.start, m."end", m.surface, m.key, m.type, m.seal
FROM mentions m JOIN units u ON u.number = m.unit JOIN entities e ON e.number = m.entity
WHERE m.number BETWEEN ? AND ? ORDER BY m.number;

-- name: topics_in_turn
SELECT c.id, e.id, t.weight, t.source, t.seal
FROM topics t JOIN chunks c ON c.number = t.chunk JOIN entities e ON e.number = t.entity
WHERE t.number BETWEEN ? AND ? ORDER BY t.number;

-- name: facts_in_turn
SELECT f.unit, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at, f.seal
FROM facts f JOIN units u ON u.number = f.unit JOIN chunks c ON c.number = u.chunk
    JOIN documents d ON d.number = c.document
WHERE f.number BETWEEN ? AND ? ORDER BY f.number;

-- name: facts_of_units
SELECT f.unit, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at, f.seal
FROM facts f JOIN units u ON u.number = f.unit JOIN chunks c ON c.number = u.chunk
    JOIN documents d ON d.number = c.document
WHERE f.unit IN (SELECT value FROM json_each(?)) ORDER BY f.number;

-- name: counts_of_facts
SELECT sum(facts) FROM units WHERE number IN (SELECT value FROM json_each(?));

-- name: all_facts
SELECT c.document, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at, f.seal
FROM facts f JOIN units u ON u.number = f.unit JOIN chunks c ON c.number = u.chunk
    JOIN documents d ON d.number = c.document
ORDER BY f.number;

-- name: facts_saying
SELECT c.document, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at, f.seal
FROM facts f JOIN units u ON u.number = f.unit JOIN chunks c ON c.number = u.chunk
    JOIN documents d ON d.number = c.document
WHERE f.predicate IN (SELECT value FROM json_each(?)) ORDER BY f.number;

-- name: facts_about
SELECT c.document, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at, f.seal
FROM facts f JOIN units u ON u.number = f.unit JOIN chunks c ON c.number = u.chunk
    JOIN documents d ON d.number = c.document
WHERE f.number IN (
    SELECT number FROM facts WHERE subject_key IN (SELECT value FROM json_each(?1))
    UNION SELECT number FROM facts WHERE object_key IN (SELECT value FROM json_each(?1))
) AND (?2 IS NULL OR f.predicate IN (SELECT value FROM json_each(?2))) ORDER BY f.number;

-- name: predicates
SELECT f.predicate, count(*)
FROM facts f
WHERE ?1 IS NULL OR (
    SELECT c.document FROM units u JOIN chunks c ON c.number = u.chunk WHERE u.number = f.unit
) IN (SELECT value FROM json_each(?1))
GROUP BY f.predicate ORDER BY f.predicate;

-- name: merges
SELECT m.id, d.id, m.entity_id, m.merged_key, m.merged_name, m.reason, m.seal
FROM merges m JOIN documents d ON d.number = m.document;

-- name: merges_of_document
SELECT m.id, d.id, m.entity_id, m.merged_key, m.merged_name, m.reason, m.seal
FROM merges m JOIN documents d ON d.number = m.document
WHERE d.id = ? ORDER BY m.position;

-- name: merges_in_turn
SELECT m.position, m.id, d.id, m.entity_id, m.merged_key, m.merged_name, m.reason, m.seal
FROM merges m JOIN documents d ON d.number = m.document
WHERE m.document BETWEEN ? AND ? ORDER BY m.document, m.position;

-- name: document_of_merge
SELECT d.id FROM merges m JOIN documents d ON d.number = m.document WHERE m.id = ?;

-- name: document_numbers
SELECT id, number FROM documents WHERE id IN (SELECT value FROM json_each(?));

-- name: all_document_numbers
SELECT id, number FROM documents;

-- name: chunk_numbers
SELECT id, number FROM chunks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY number DESC;

-- name: unit_numbers
SELECT id, number FROM units WHERE id IN (SELECT value FROM json_each(?)) ORDER BY number DESC;

-- name: entity_numbers
SELECT id, number FROM entities WHERE id IN (SELECT value FROM json_each(?));

-- name: replies
SELECT key, reply, seal FROM replies WHERE key IN (SELECT value FROM json_each(?));
