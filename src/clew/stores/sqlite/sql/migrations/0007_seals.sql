-- Checksums (clew.stores.sqlite.seals): of each record as it is read, and of the lists that say what
-- belongs to a generation. NULL there: the next commit makes the first.

ALTER TABLE documents ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN spans_seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bodies ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bodies ADD COLUMN entities_seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chunks ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE units ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mentions ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE topics ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE merges ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entities ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entity_keys ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE replies ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE decisions ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN seal INTEGER;

-- How many facts a unit has: an index that has lost one is found out.
ALTER TABLE units ADD COLUMN facts INTEGER NOT NULL DEFAULT 0;
UPDATE units SET facts = (SELECT count(*) FROM facts f WHERE f.unit = units.number)
WHERE EXISTS (SELECT 1 FROM facts);

UPDATE documents SET
    seal = seal(number, id, doc_id, title, source, media_type, scope, metadata, pages, content_hash,
        source_hash),
    spans_seal = seal(number, id, first_chunk, chunks, first_unit, units, first_mention, mentions,
        first_topic, topics, first_fact, facts);
UPDATE bodies SET
    seal = seal(document, text, blocks),
    entities_seal = seal(document, entities, reply_keys);
UPDATE chunks SET seal = seal(number, id, d.document_id, position, start, "end", text, heading_path,
    page, context, metadata)
FROM (SELECT number AS document_number, id AS document_id FROM documents) d
WHERE d.document_number = chunks.document;
UPDATE units SET seal = seal(number, id, c.document_id, c.chunk_id, start, "end", text, context,
    verbatim, origin, degraded)
FROM (
    SELECT chunks.number AS chunk_number, chunks.id AS chunk_id, documents.id AS document_id
    FROM chunks JOIN documents ON documents.number = chunks.document
) c
WHERE c.chunk_number = units.chunk;
UPDATE mentions SET seal = seal(
    id, (SELECT u.id FROM units u WHERE u.number = unit),
    (SELECT e.id FROM entities e WHERE e.number = entity), start, "end", surface, key, type
);
UPDATE topics SET seal = seal(
    (SELECT c.id FROM chunks c WHERE c.number = chunk),
    (SELECT e.id FROM entities e WHERE e.number = entity), weight, source
);
UPDATE facts SET seal = seal(id, u.document_id, u.unit_id, start, "end", kind, subject, predicate,
    object, predicate_as_said, negated, confidence, time_start, time_end, time_as_said, condition,
    modality, quantifier, speech_act, tense, stated_at)
FROM (
    SELECT units.number AS unit_number, units.id AS unit_id, documents.id AS document_id
    FROM units JOIN chunks ON chunks.number = units.chunk
        JOIN documents ON documents.number = chunks.document
) u
WHERE u.unit_number = facts.unit;
UPDATE merges SET seal = seal(id, (SELECT d.id FROM documents d WHERE d.number = document),
    entity_id, merged_key, merged_name, reason);
UPDATE entities SET seal = seal(number, id, name, key, type, aliases, scope);
UPDATE entity_keys SET seal = seal(number, key, entity);
UPDATE replies SET seal = seal(key, reply);
UPDATE decisions SET seal = seal(id, key, name, into_key, into_name, type, doc_ids, scope);
