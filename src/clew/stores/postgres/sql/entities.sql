-- name: by_number
SELECT number, id, name, key, type, aliases, scope FROM entities WHERE number = ANY (%(numbers)s);

-- name: by_key
SELECT DISTINCT k.key, k.entity FROM entity_keys k
WHERE left(k.key, 200) = ANY (%(short)s) AND k.key = ANY (%(keys)s)
ORDER BY k.entity;

-- name: by_initials
SELECT DISTINCT entity, key FROM entity_keys
WHERE (left(initials, 200) = left(%(letters)s, 200) AND initials = %(letters)s)
    OR (left(content_initials, 200) = left(%(letters)s, 200) AND content_initials = %(letters)s)
ORDER BY entity, key;

-- name: by_prefix
SELECT number, key, name FROM entities
WHERE left(key, 200) >= left(%(prefix)s, 200) AND left(key, 200) <= left(%(last)s, 200)
    AND starts_with(key, %(prefix)s)
ORDER BY key, name;

-- name: found
SELECT id, number, key, scope, name, type, aliases FROM entities WHERE id = ANY (%(ids)s);

-- name: forms
SELECT entity, key, form, titles, mentions, names, aliases
FROM entity_forms WHERE entity = ANY (%(numbers)s);

-- name: types
SELECT entity, type, count FROM entity_types WHERE entity = ANY (%(numbers)s);

-- name: remove_forms
DELETE FROM entity_forms f
USING unnest(%(entities)s::bigint[], %(keys)s::text[], %(forms)s::text[]) AS g (entity, key, form)
WHERE f.entity = g.entity AND f.key = g.key AND f.form = g.form;

-- name: remove_types
DELETE FROM entity_types t
USING unnest(%(entities)s::bigint[], %(types)s::text[]) AS g (entity, type)
WHERE t.entity = g.entity AND t.type = g.type;

-- name: remove_keys
DELETE FROM entity_keys k
USING unnest(%(entities)s::bigint[], %(keys)s::text[]) AS g (entity, key)
WHERE k.entity = g.entity AND k.key = g.key;

-- name: remove
DELETE FROM entities WHERE number = ANY (%(numbers)s);
