-- name: state
SELECT generation, space, fingerprint, dimensions, next_entity, documents, chunks, units, facts,
    mentions, topics, edges, entities, chunk_terms, unit_terms
FROM state;

-- name: set_state
UPDATE state SET generation = %(generation)s, space = %(space)s, fingerprint = %(fingerprint)s,
    dimensions = %(dimensions)s, next_entity = %(next_entity)s, documents = %(documents)s,
    chunks = %(chunks)s, units = %(units)s, facts = %(facts)s, mentions = %(mentions)s,
    topics = %(topics)s, edges = %(edges)s, entities = %(entities)s,
    chunk_terms = %(chunk_terms)s, unit_terms = %(unit_terms)s;

-- name: take_numbers
UPDATE numbers SET next_document = next_document + %(document)s,
    next_chunk = next_chunk + %(chunk)s, next_unit = next_unit + %(unit)s,
    next_mention = next_mention + %(mention)s, next_topic = next_topic + %(topic)s,
    next_fact = next_fact + %(fact)s
RETURNING next_document - %(document)s, next_chunk - %(chunk)s, next_unit - %(unit)s,
    next_mention - %(mention)s, next_topic - %(topic)s, next_fact - %(fact)s;

-- name: lock
SELECT count(pg_advisory_xact_lock(store, number)) FROM (
    SELECT ('state'::regclass::oid::bigint - 2147483648)::integer AS store, number::integer
    FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
    ORDER BY position
) AS in_order;
