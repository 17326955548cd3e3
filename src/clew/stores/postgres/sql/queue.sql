-- Rows are always locked in the order of their tickets.

-- name: remove
DELETE FROM queue WHERE ticket IN (
    SELECT ticket FROM queue WHERE document_id = ANY (%(ids)s) ORDER BY ticket FOR UPDATE
);

-- name: put
COPY queue (document_id, doc_id, scope, source, document) FROM STDIN;

-- name: listed
SELECT document_id, doc_id, source FROM queue
WHERE scope = %(scope)s AND NOT is_deleted ORDER BY ticket;

-- name: withdraw
DELETE FROM queue WHERE ticket IN (
    SELECT ticket FROM queue
    WHERE document_id = ANY (%(ids)s) AND (taken_until IS NULL OR taken_until < clock_timestamp())
    ORDER BY ticket FOR UPDATE
);

-- name: mark_deleted
UPDATE queue SET is_deleted = true, document = '' WHERE ticket IN (
    SELECT ticket FROM queue
    WHERE document_id = ANY (%(ids)s) AND NOT is_deleted ORDER BY ticket FOR UPDATE
);

-- name: set_aside
UPDATE queue SET failure = %(reason)s WHERE ticket IN (
    SELECT ticket FROM queue
    WHERE left(scope, 200) = left(%(scope)s, 200) AND scope = %(scope)s AND failure IS NULL
        AND NOT is_deleted AND attempts >= %(attempts)s AND taken_until < clock_timestamp()
    ORDER BY ticket FOR UPDATE SKIP LOCKED
);

-- name: take
UPDATE queue q
SET attempts = q.attempts + 1, worker = %(worker)s,
    taken_until = clock_timestamp() + make_interval(secs => %(lease)s)
FROM (
    SELECT ticket FROM queue
    WHERE left(scope, 200) = left(%(scope)s, 200) AND scope = %(scope)s AND failure IS NULL
        AND (taken_until IS NULL OR taken_until < clock_timestamp())
    ORDER BY ticket
    LIMIT %(most)s
    FOR UPDATE SKIP LOCKED
) AS free
WHERE q.ticket = free.ticket
RETURNING q.ticket, q.document_id, q.doc_id, q.scope, q.document, q.attempts, q.is_deleted;

-- name: hold
UPDATE queue SET taken_until = clock_timestamp() + make_interval(secs => %(lease)s)
WHERE ticket IN (
    SELECT ticket FROM queue
    WHERE ticket = ANY (%(tickets)s) AND worker = %(worker)s ORDER BY ticket FOR UPDATE
);

-- name: done
DELETE FROM queue WHERE ticket IN (
    SELECT ticket FROM queue
    WHERE ticket = ANY (%(tickets)s) AND worker = %(worker)s AND is_deleted = %(deleted)s
    ORDER BY ticket FOR UPDATE
);

-- name: give_back
UPDATE queue SET taken_until = NULL, attempts = attempts - 1, worker = ''
WHERE ticket IN (
    SELECT ticket FROM queue
    WHERE ticket = ANY (%(tickets)s) AND worker = %(worker)s AND failure IS NULL
    ORDER BY ticket FOR UPDATE
);

-- name: fail
UPDATE queue SET failure = %(reason)s, taken_until = NULL
WHERE ticket = %(ticket)s AND worker = %(worker)s AND NOT is_deleted;

-- name: counts
SELECT count(*) FILTER (
        WHERE failure IS NULL AND (taken_until IS NULL OR taken_until < clock_timestamp())
    ),
    count(*) FILTER (WHERE failure IS NULL AND taken_until >= clock_timestamp()),
    count(*) FILTER (WHERE failure IS NOT NULL)
FROM queue WHERE scope = %(scope)s;

-- name: failures
SELECT doc_id, failure FROM queue WHERE scope = %(scope)s AND failure IS NOT NULL ORDER BY ticket;

-- name: retry
UPDATE queue SET failure = NULL, taken_until = NULL, attempts = 0, worker = ''
WHERE ticket IN (
    SELECT ticket FROM queue
    WHERE scope = %(scope)s AND failure IS NOT NULL ORDER BY ticket FOR UPDATE
);
