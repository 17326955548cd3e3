-- One statement a hop: many numbers in, all their links out, with what is wrong with the question.
-- Each row is (positions, targets, weights, a number that is none), ascending.

-- name: documents_of_chunks
SELECT array_agg(coalesce(c.document, -1) ORDER BY a.position)
FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
LEFT JOIN chunks c ON c.number = a.number;

-- name: chunks_of_units
SELECT array_agg(coalesce(u.chunk, -1) ORDER BY a.position)
FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
LEFT JOIN units u ON u.number = a.number;

-- name: units_of_chunks
SELECT array_agg(position), array_agg(target), NULL, (
    SELECT min(a.number) FROM unnest(%(numbers)s::bigint[]) AS a (number)
    WHERE NOT EXISTS (SELECT FROM chunks c WHERE c.number = a.number)
)
FROM (
    SELECT a.position, u.number AS target
    FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
    JOIN units u ON u.chunk = a.number
    ORDER BY a.position, u.number
) AS links;

-- name: entities_of_units
SELECT array_agg(position), array_agg(target), NULL, (
    SELECT min(a.number) FROM unnest(%(numbers)s::bigint[]) AS a (number)
    WHERE NOT EXISTS (SELECT FROM units u WHERE u.number = a.number)
)
FROM (
    SELECT DISTINCT a.position, m.entity AS target
    FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
    JOIN mentions m ON m.unit = a.number
    ORDER BY a.position, m.entity
) AS links;

-- name: units_of_entities
SELECT array_agg(position), array_agg(target), NULL, (
    SELECT min(a.number) FROM unnest(%(numbers)s::bigint[]) AS a (number)
    WHERE NOT EXISTS (SELECT FROM entities e WHERE e.number = a.number)
)
FROM (
    SELECT a.position, l.unit AS target
    FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
    CROSS JOIN LATERAL (
        SELECT DISTINCT m.unit FROM mentions m
        WHERE m.entity = a.number
            AND (%(documents)s::bigint[] IS NULL OR m.document = ANY (%(documents)s))
        ORDER BY m.unit
        LIMIT %(most)s::bigint
    ) AS l
    ORDER BY a.position, l.unit
) AS links;

-- name: topics_of_chunks
SELECT array_agg(position), array_agg(target), array_agg(weight), (
    SELECT min(a.number) FROM unnest(%(numbers)s::bigint[]) AS a (number)
    WHERE NOT EXISTS (SELECT FROM chunks c WHERE c.number = a.number)
)
FROM (
    SELECT a.position, t.entity AS target, max(t.weight)::real AS weight
    FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
    JOIN topics t ON t.chunk = a.number
    GROUP BY a.position, t.entity
    ORDER BY a.position, t.entity
) AS links;

-- name: chunks_about
SELECT array_agg(position), array_agg(target), array_agg(weight), (
    SELECT min(a.number) FROM unnest(%(numbers)s::bigint[]) AS a (number)
    WHERE NOT EXISTS (SELECT FROM entities e WHERE e.number = a.number)
)
FROM (
    SELECT a.position, t.chunk AS target, max(t.weight)::real AS weight
    FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
    JOIN topics t ON t.entity = a.number
    WHERE %(documents)s::bigint[] IS NULL OR t.document = ANY (%(documents)s)
    GROUP BY a.position, t.chunk
    ORDER BY a.position, t.chunk
) AS links;

-- name: entity_frequencies
SELECT array_agg(chunks ORDER BY position), min(number) FILTER (WHERE unknown)
FROM (
    SELECT a.position, a.number,
        NOT EXISTS (SELECT FROM entities e WHERE e.number = a.number) AS unknown,
        (
            SELECT count(DISTINCT m.chunk) FROM mentions m
            WHERE m.entity = a.number
                AND (%(documents)s::bigint[] IS NULL OR m.document = ANY (%(documents)s))
        ) AS chunks
    FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
) AS counted;
