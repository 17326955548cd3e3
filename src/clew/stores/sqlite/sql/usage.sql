-- name: add
INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scope, day, stage, document_id, question, model, currency) DO UPDATE SET
    calls = calls + excluded.calls,
    cached_calls = cached_calls + excluded.cached_calls,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    estimated_tokens = estimated_tokens + excluded.estimated_tokens,
    seconds = seconds + excluded.seconds,
    cost = cost + excluded.cost;

-- name: all
SELECT * FROM usage
ORDER BY scope, day, stage, document_id, question, model, currency;

-- name: add_nameless
INSERT INTO usage
SELECT scope, day, stage, iif(document_id IN (SELECT value FROM json_each(?)), '', document_id)
    AS nameless, '', model, currency, sum(calls), sum(cached_calls), sum(input_tokens),
    sum(output_tokens), sum(estimated_tokens), sum(seconds), sum(cost)
FROM usage
WHERE question <> '' OR document_id IN (SELECT value FROM json_each(?))
GROUP BY scope, day, stage, nameless, model, currency
ON CONFLICT (scope, day, stage, document_id, question, model, currency) DO UPDATE SET
    calls = calls + excluded.calls,
    cached_calls = cached_calls + excluded.cached_calls,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    estimated_tokens = estimated_tokens + excluded.estimated_tokens,
    seconds = seconds + excluded.seconds,
    cost = cost + excluded.cost;

-- name: remove_named
DELETE FROM usage WHERE question <> '' OR document_id IN (SELECT value FROM json_each(?));
