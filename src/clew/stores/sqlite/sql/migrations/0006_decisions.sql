-- What people decided about names.

CREATE TABLE decisions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    into_key TEXT NOT NULL,
    into_name TEXT NOT NULL,
    type TEXT NOT NULL,
    doc_ids TEXT NOT NULL,
    scope TEXT NOT NULL
);
