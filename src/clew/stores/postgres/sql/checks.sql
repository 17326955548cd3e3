-- name: document_ids
SELECT id FROM documents ORDER BY number;

-- name: counted
SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(units), 0), coalesce(sum(mentions), 0),
    coalesce(sum(topics), 0), coalesce(sum(facts), 0)
FROM documents;

-- name: there
SELECT (SELECT count(*) FROM bodies), (SELECT count(*) FROM chunks), (SELECT count(*) FROM units),
    (SELECT count(*) FROM mentions), (SELECT count(*) FROM topics), (SELECT count(*) FROM facts);

-- name: totals
SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(units), 0), coalesce(sum(facts), 0),
    coalesce(sum(mentions), 0), coalesce(sum(topics), 0), coalesce(sum(edges), 0),
    (SELECT count(*) FROM entities), coalesce(sum(chunk_terms), 0), coalesce(sum(unit_terms), 0)
FROM documents;

-- name: vectors
SELECT space, count(*) FROM {layer}_vectors GROUP BY space ORDER BY space;

-- name: strangers
SELECT count(*) FROM {table} t WHERE NOT EXISTS (SELECT FROM documents d WHERE d.number = t.document);

-- name: terms
SELECT term, data FROM {layer}_terms WHERE document = %(document)s;

-- name: forms
SELECT entity, key, form, titles, mentions, names, aliases FROM entity_forms;

-- name: types
SELECT entity, type, count FROM entity_types;

-- name: keys
SELECT entity, key, initials, content_initials, trigrams FROM entity_keys;

-- name: entities
SELECT number, id, name, key, type, aliases, scope FROM entities ORDER BY number;
