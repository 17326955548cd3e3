-- name: document_numbers
SELECT number FROM documents ORDER BY number;

-- name: counted
SELECT count(*), ifnull(sum(chunks), 0), ifnull(sum(units), 0), ifnull(sum(mentions), 0),
    ifnull(sum(topics), 0), ifnull(sum(facts), 0)
FROM documents;

-- name: there
SELECT (SELECT count(*) FROM bodies), (SELECT count(*) FROM chunks), (SELECT count(*) FROM units),
    (SELECT count(*) FROM mentions), (SELECT count(*) FROM topics), (SELECT count(*) FROM facts);

-- name: forms
SELECT entity, key, form, titles, mentions, names, aliases FROM entity_forms;

-- name: types
SELECT entity, type, count FROM entity_types;

-- name: keys
SELECT number, key, entity, seal FROM entity_keys;

-- name: entities
SELECT number, id, name, key, type, aliases, scope, seal FROM entities ORDER BY number;

-- name: entity_numbers
SELECT id, number FROM entities;

-- name: make_spellings
CREATE VIRTUAL TABLE IF NOT EXISTS temp.spellings USING fts5vocab('main', 'entity_trigrams', 'instance');

-- name: spellings
SELECT doc, term FROM temp.spellings;

-- name: drop_spellings
DROP TABLE temp.spellings;
