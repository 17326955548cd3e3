-- Rows as clew.stores.rows makes them, then the columns that only this store has.

-- name: bodies
COPY bodies (document, blocks, entities, reply_keys, text) FROM STDIN;

-- name: chunks
COPY chunks (number, id, document, position, start, "end", page, heading_path, context, metadata,
    text) FROM STDIN;

-- name: units
COPY units (number, id, chunk, start, "end", verbatim, degraded, origin, context, text) FROM STDIN;

-- name: facts
COPY facts (number, id, unit, start, "end", kind, subject, predicate, object, predicate_as_said,
    negated, confidence, time_start, time_end, time_as_said, condition, modality, quantifier,
    speech_act, tense, stated_at, subject_key, object_key, document) FROM STDIN;

-- name: merges
COPY merges (document, position, id, entity_id, merged_key, merged_name, reason) FROM STDIN;

-- name: mentions
COPY mentions (number, id, unit, entity, start, "end", surface, key, type, document, chunk)
FROM STDIN;

-- name: topics
COPY topics (number, chunk, entity, weight, source, document) FROM STDIN;

-- name: documents
COPY documents (number, id, doc_id, scope, title, source, media_type, content_hash, source_hash,
    metadata, pages, first_chunk, chunks, first_unit, units, first_mention, mentions, first_topic,
    topics, first_fact, facts, edges, chunk_terms, unit_terms, described) FROM STDIN;

-- name: terms
COPY {layer}_terms (term, document, data) FROM STDIN;

-- name: vectors
COPY {layer}_vectors (space, number, document, vector) FROM STDIN (FORMAT binary);

-- name: entities
COPY entities (number, id, key, scope, name, type, aliases) FROM STDIN;

-- name: entity_forms
COPY entity_forms (entity, key, form, titles, mentions, names, aliases) FROM STDIN;

-- name: entity_types
COPY entity_types (entity, type, count) FROM STDIN;

-- name: entity_keys
COPY entity_keys (entity, key, initials, content_initials, trigrams) FROM STDIN;
