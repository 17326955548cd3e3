-- Vectors of an embedder that is to take the place of the present one, by what they are vectors of.
CREATE TABLE space (fingerprint TEXT NOT NULL, dimensions INTEGER NOT NULL);
CREATE TABLE staged (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data BLOB NOT NULL);
