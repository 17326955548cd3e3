-- Vectors of another embedder on their way, by hashes of what they are vectors of.

CREATE TABLE staged_space (
    single integer PRIMARY KEY CHECK (single = 0),
    fingerprint text NOT NULL,
    dimensions integer NOT NULL
);

CREATE TABLE staged (
    key text PRIMARY KEY,
    data bytea NOT NULL
);
