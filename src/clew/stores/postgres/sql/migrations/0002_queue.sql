-- Documents that wait to be indexed. A lease that has run out makes a document free again.

CREATE TABLE queue (
    ticket bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id text NOT NULL UNIQUE,
    doc_id text NOT NULL,
    scope text NOT NULL,
    document text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    worker text NOT NULL DEFAULT '',
    taken_until timestamptz,
    failure text
);
CREATE INDEX queue_in_order ON queue (left(scope, 200), ticket) WHERE failure IS NULL;
