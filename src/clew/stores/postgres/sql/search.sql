-- name: frequencies
SELECT term, sum(octet_length(data)) / {width} FROM {layer}_terms
WHERE term = ANY (%(terms)s)
    AND (%(documents)s::bigint[] IS NULL OR document = ANY (%(documents)s))
GROUP BY term;

-- name: postings
SELECT term, sum(octet_length(data)) / {width}, string_agg(data, '') FILTER (
    WHERE %(documents)s::bigint[] IS NULL OR document = ANY (%(documents)s)
)
FROM {layer}_terms
WHERE term = ANY (%(terms)s)
    AND (%(population)s::bigint[] IS NULL OR document = ANY (%(population)s))
GROUP BY term;

-- name: exact
SELECT array_agg(number), array_agg(score) FROM (
    SELECT number, (-(vector <#> %(query)s::vector))::real AS score
    FROM {layer}_vectors
    WHERE space = {space}
        AND (%(documents)s::bigint[] IS NULL OR document = ANY (%(documents)s))
    ORDER BY vector <#> %(query)s::vector, number
    LIMIT %(k)s
) AS found;

-- name: approximate
SELECT array_agg(number), array_agg(score) FROM (
    SELECT number, (-(vector <#> %(query)s::vector))::real AS score
    FROM (
        SELECT number, vector
        FROM {layer}_vectors
        WHERE space = {space}
            AND (%(documents)s::bigint[] IS NULL OR document = ANY (%(documents)s))
        ORDER BY vector::halfvec({dimensions}) <#> %(query)s::vector::halfvec({dimensions})
        LIMIT %(wide)s
    ) AS near
    ORDER BY vector <#> %(query)s::vector, number
    LIMIT %(k)s
) AS found;

-- name: scores
SELECT array_agg(coalesce((-(v.vector <#> %(query)s::vector))::real, 0) ORDER BY a.position),
    count(v.number)
FROM unnest(%(numbers)s::bigint[]) WITH ORDINALITY AS a (number, position)
LEFT JOIN {layer}_vectors v ON v.space = {space} AND v.number = a.number;

-- name: vectors
SELECT number, vector_send(vector) FROM {layer}_vectors
WHERE space = {space} AND number = ANY (%(numbers)s);

-- name: missing
SELECT min(a.number) FROM unnest(%(numbers)s::bigint[]) AS a (number)
WHERE NOT EXISTS (SELECT FROM {layer}s r WHERE r.number = a.number);

-- name: valid_index
SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass(%(name)s);
