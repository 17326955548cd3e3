-- name: add
INSERT INTO usage VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (digest) DO UPDATE SET
    calls = usage.calls + excluded.calls,
    cached_calls = usage.cached_calls + excluded.cached_calls,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    output_tokens = usage.output_tokens + excluded.output_tokens,
    estimated_tokens = usage.estimated_tokens + excluded.estimated_tokens,
    seconds = usage.seconds + excluded.seconds,
    cost = usage.cost + excluded.cost;

-- name: all
SELECT scope, day, stage, document_id, question, model, currency, calls, cached_calls,
    input_tokens, output_tokens, estimated_tokens, seconds, cost
FROM usage ORDER BY scope, day, stage, document_id, question, model, currency;

-- name: take_of
DELETE FROM usage WHERE document_id = ANY (%(ids)s)
RETURNING scope, day, stage, document_id, question, model, currency, calls, cached_calls,
    input_tokens, output_tokens, estimated_tokens, seconds, cost;

-- name: take_named
DELETE FROM usage WHERE question <> '' OR document_id = ANY (%(ids)s)
RETURNING scope, day, stage, document_id, question, model, currency, calls, cached_calls,
    input_tokens, output_tokens, estimated_tokens, seconds, cost;
