-- name: documents
SELECT number, id, doc_id, title, source, media_type, scope, metadata, pages, content_hash,
    source_hash
FROM documents
WHERE %(numbers)s::bigint[] IS NULL OR number = ANY (%(numbers)s);

-- name: bodies
SELECT document, text, blocks, entities, reply_keys FROM bodies WHERE document = ANY (%(numbers)s);

-- name: document_ranges
SELECT number, first_chunk, chunks, first_unit, units, first_mention, mentions, first_topic, topics,
    first_fact, facts, edges, chunk_terms, unit_terms
FROM documents WHERE id = %(id)s;

-- name: chunks
SELECT c.number, c.id, d.id, c.position, c.start, c."end", c.text, c.heading_path, c.page,
    c.context, c.metadata
FROM chunks c JOIN documents d ON d.number = c.document
WHERE c.number = ANY (%(numbers)s);

-- name: units
SELECT u.number, u.id, d.id, c.id, u.start, u."end", u.text, u.context, u.verbatim, u.origin,
    u.degraded
FROM units u JOIN chunks c ON c.number = u.chunk JOIN documents d ON d.number = c.document
WHERE u.number = ANY (%(numbers)s);

-- name: mentions
SELECT m.id, u.id, e.id, m.start, m."end", m.surface, m.key, m.type
FROM mentions m JOIN units u ON u.number = m.unit JOIN entities e ON e.number = m.entity
WHERE m.number BETWEEN %(first)s AND %(last)s ORDER BY m.number;

-- name: topics
SELECT c.id, e.id, t.weight, t.source
FROM topics t JOIN chunks c ON c.number = t.chunk JOIN entities e ON e.number = t.entity
WHERE t.number BETWEEN %(first)s AND %(last)s ORDER BY t.number;

-- name: facts_of_document
SELECT f.unit, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at
FROM facts f JOIN units u ON u.number = f.unit JOIN documents d ON d.number = f.document
WHERE f.number BETWEEN %(first)s AND %(last)s ORDER BY f.number;

-- name: facts_of_units
SELECT f.unit, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at
FROM facts f JOIN units u ON u.number = f.unit JOIN documents d ON d.number = f.document
WHERE f.unit = ANY (%(units)s) ORDER BY f.number;

-- name: find_facts
SELECT f.unit, f.id, d.id, u.id, f.start, f."end", f.kind, f.subject, f.predicate, f.object,
    f.predicate_as_said, f.negated, f.confidence, f.time_start, f.time_end, f.time_as_said,
    f.condition, f.modality, f.quantifier, f.speech_act, f.tense, f.stated_at
FROM facts f JOIN units u ON u.number = f.unit JOIN documents d ON d.number = f.document
WHERE (%(keys)s::text[] IS NULL
    OR (left(f.subject_key, 200) = ANY (%(short_keys)s) AND f.subject_key = ANY (%(keys)s))
    OR (left(f.object_key, 200) = ANY (%(short_keys)s) AND f.object_key = ANY (%(keys)s)))
AND (%(predicates)s::text[] IS NULL
    OR (left(f.predicate, 200) = ANY (%(short_predicates)s) AND f.predicate = ANY (%(predicates)s)))
AND (%(documents)s::bigint[] IS NULL OR f.document = ANY (%(documents)s))
ORDER BY f.number;

-- name: predicates
SELECT f.predicate, count(*)
FROM facts f
WHERE %(documents)s::bigint[] IS NULL OR f.document = ANY (%(documents)s)
GROUP BY f.predicate ORDER BY f.predicate;

-- name: merges
SELECT m.id, d.id, m.entity_id, m.merged_key, m.merged_name, m.reason
FROM merges m JOIN documents d ON d.number = m.document
WHERE %(id)s::text IS NULL OR d.id = %(id)s
ORDER BY m.document, m.position;

-- name: document_of_merge
SELECT d.id FROM merges m JOIN documents d ON d.number = m.document WHERE m.id = %(id)s;

-- name: document_numbers
SELECT id, number FROM documents WHERE id = ANY (%(ids)s);

-- name: all_document_numbers
SELECT id, number, first_chunk, chunks, first_unit, units FROM documents;

-- name: chunk_numbers
SELECT id, min(number) FROM chunks WHERE id = ANY (%(ids)s) GROUP BY id;

-- name: unit_numbers
SELECT id, min(number) FROM units WHERE id = ANY (%(ids)s) GROUP BY id;

-- name: entity_numbers
SELECT id, number FROM entities WHERE id = ANY (%(ids)s);

-- name: replies
SELECT key, reply FROM replies WHERE key = ANY (%(keys)s);

-- name: totals
SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(units), 0), coalesce(sum(facts), 0),
    coalesce(sum(mentions), 0), coalesce(sum(topics), 0), coalesce(sum(edges), 0)
FROM documents WHERE number = ANY (%(documents)s);

-- name: entities_spoken_of
SELECT count(DISTINCT entity) FROM (
    SELECT m.entity FROM documents d
    JOIN mentions m ON m.number BETWEEN d.first_mention AND d.first_mention + d.mentions - 1
    WHERE d.number = ANY (%(documents)s)
    UNION ALL
    SELECT t.entity FROM documents d
    JOIN topics t ON t.number BETWEEN d.first_topic AND d.first_topic + d.topics - 1
    WHERE d.number = ANY (%(documents)s)
) AS spoken_of;

-- name: count_documents
SELECT count(*) FROM documents WHERE number = ANY (%(numbers)s);

-- name: lengths
SELECT coalesce(sum(chunks), 0), coalesce(sum(chunk_terms), 0), coalesce(sum(units), 0),
    coalesce(sum(unit_terms), 0)
FROM documents WHERE number = ANY (%(documents)s);
