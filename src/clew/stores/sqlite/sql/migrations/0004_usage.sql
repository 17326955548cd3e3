-- Who used how much of which language model, for what. Costs of unknown price have no currency.

CREATE TABLE usage (
    scope TEXT NOT NULL,
    day TEXT NOT NULL,
    stage TEXT NOT NULL,
    document_id TEXT NOT NULL,
    question TEXT NOT NULL,
    model TEXT NOT NULL,
    currency TEXT NOT NULL,
    calls INTEGER NOT NULL,
    cached_calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    estimated_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (scope, day, stage, document_id, question, model, currency)
) WITHOUT ROWID;
CREATE INDEX usage_by_document ON usage (document_id);
