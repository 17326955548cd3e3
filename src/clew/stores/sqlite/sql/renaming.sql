-- name: undone_merge
UPDATE OR REPLACE undone_merges SET merge_id = ? WHERE document_id = ? AND merge_id = ?;

-- name: undone_merges
UPDATE OR REPLACE undone_merges SET document_id = ? WHERE document_id = ?;

-- name: replies
UPDATE OR REPLACE replies SET document_id = ? WHERE document_id = ?;

-- name: usage
INSERT INTO usage
SELECT scope, day, stage, ?, question, model, currency, calls, cached_calls, input_tokens,
    output_tokens, estimated_tokens, seconds, cost
FROM usage WHERE document_id = ?
ON CONFLICT (scope, day, stage, document_id, question, model, currency) DO UPDATE SET
    calls = calls + excluded.calls,
    cached_calls = cached_calls + excluded.cached_calls,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    estimated_tokens = estimated_tokens + excluded.estimated_tokens,
    seconds = seconds + excluded.seconds,
    cost = cost + excluded.cost;

-- name: remove_usage
DELETE FROM usage WHERE document_id = ?;
