-- name: list
SELECT c.relname::text, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid IN ('chunk_vectors'::regclass, 'unit_vectors'::regclass)
    AND c.relname LIKE '%\_vectors\_near\_%'
ORDER BY c.relname;

-- name: try_lock
SELECT pg_try_advisory_lock(('state'::regclass::oid::bigint - 2147483648)::integer, 2048);

-- name: unlock
SELECT pg_advisory_unlock(('state'::regclass::oid::bigint - 2147483648)::integer, 2048);

-- name: current
SELECT current_setting('maintenance_work_mem'), current_setting('lock_timeout');

-- name: settings
SELECT set_config('maintenance_work_mem', %(memory)s, false),
    set_config('lock_timeout', %(lock_timeout)s, false);

-- name: make
CREATE INDEX CONCURRENTLY {name} ON {layer}_vectors
USING hnsw ((vector::halfvec({dimensions})) halfvec_ip_ops) WHERE space = {space};

-- name: drop
DROP INDEX CONCURRENTLY IF EXISTS {name};
