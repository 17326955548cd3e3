-- name: hold
SELECT pg_try_advisory_lock(
    ('state'::regclass::oid::bigint - 2147483648)::integer, %(number)s::integer
);

-- name: let_go
SELECT pg_advisory_unlock(
    ('state'::regclass::oid::bigint - 2147483648)::integer, %(number)s::integer
);

-- name: space
SELECT fingerprint, dimensions FROM staged_space;

-- name: set_space
INSERT INTO staged_space (single, fingerprint, dimensions)
VALUES (0, %(fingerprint)s, %(dimensions)s);

-- name: clear_space
DELETE FROM staged_space;

-- name: clear
DELETE FROM staged;

-- name: count
SELECT count(*) FROM staged;

-- name: get
SELECT key, data FROM staged WHERE key = ANY (%(keys)s);

-- name: put
INSERT INTO staged (key, data) VALUES (%s, %s) ON CONFLICT (key) DO NOTHING;

-- name: remove
DELETE FROM staged WHERE key = ANY (%(keys)s);
