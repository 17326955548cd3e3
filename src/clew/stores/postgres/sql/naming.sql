-- What some documents call an entity (clew.stores.names_within).

-- name: spoken_of
SELECT
    EXISTS (
        SELECT FROM mentions m WHERE m.entity = a.number AND m.document = ANY (%(documents)s)
    ) OR EXISTS (
        SELECT FROM topics t WHERE t.entity = a.number AND t.document = ANY (%(documents)s)
    ),
    EXISTS (
        SELECT FROM mentions m WHERE m.entity = a.number AND m.document <> ALL (%(documents)s)
    ) OR EXISTS (
        SELECT FROM topics t WHERE t.entity = a.number AND t.document <> ALL (%(documents)s)
    )
FROM unnest(%(entities)s::bigint[]) WITH ORDINALITY AS a (number, position)
ORDER BY a.position;

-- name: undecided
SELECT entity FROM entity_forms WHERE entity = ANY (%(entities)s)
GROUP BY entity HAVING count(*) > 1
UNION
SELECT entity FROM entity_types WHERE entity = ANY (%(entities)s);

-- name: voters
SELECT a.number, v.document
FROM unnest(%(entities)s::bigint[]) AS a (number)
CROSS JOIN LATERAL (
    SELECT m.document FROM mentions m
    WHERE m.entity = a.number AND m.document = ANY (%(documents)s)
    UNION
    SELECT t.document FROM topics t
    WHERE t.entity = a.number AND t.document = ANY (%(documents)s)
    ORDER BY document
    LIMIT %(most)s
) AS v
ORDER BY a.number, v.document;

-- name: mention_votes
SELECT entity, document, key, surface FROM mentions
WHERE entity = ANY (%(entities)s) AND document = ANY (%(documents)s);

-- name: title_votes
SELECT DISTINCT entity, document FROM topics
WHERE entity = ANY (%(entities)s) AND document = ANY (%(documents)s) AND source = 'title';

-- name: declared
SELECT document, entities FROM bodies WHERE document = ANY (%(documents)s);
