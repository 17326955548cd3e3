-- One store. Numbers are given out once and never used again for another record.

CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 0),
    generation INTEGER NOT NULL DEFAULT 0,
    fingerprint TEXT,
    dimensions INTEGER,
    next_document INTEGER NOT NULL DEFAULT 0,
    next_chunk INTEGER NOT NULL DEFAULT 0,
    next_unit INTEGER NOT NULL DEFAULT 0,
    next_entity INTEGER NOT NULL DEFAULT 0,
    next_mention INTEGER NOT NULL DEFAULT 0,
    next_topic INTEGER NOT NULL DEFAULT 0,
    next_fact INTEGER NOT NULL DEFAULT 0
);
INSERT INTO state (only) VALUES (0);

-- Records. Those of one document have numbers in a row, from first_… on.

CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    doc_id TEXT NOT NULL,
    scope TEXT NOT NULL,
    title TEXT NOT NULL,
    source TEXT NOT NULL,
    media_type TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    metadata TEXT NOT NULL,
    pages TEXT NOT NULL,
    first_chunk INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    first_unit INTEGER NOT NULL,
    units INTEGER NOT NULL,
    first_mention INTEGER NOT NULL,
    mentions INTEGER NOT NULL,
    first_topic INTEGER NOT NULL,
    topics INTEGER NOT NULL,
    first_fact INTEGER NOT NULL,
    facts INTEGER NOT NULL
);

-- What lists of documents do not need: apart, so that they need not read past it.
CREATE TABLE bodies (
    document INTEGER PRIMARY KEY,
    blocks TEXT NOT NULL,
    entities TEXT NOT NULL,
    reply_keys TEXT NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE chunks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    page INTEGER,
    heading_path TEXT NOT NULL,
    context TEXT NOT NULL,
    metadata TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX chunks_by_id ON chunks (id);

CREATE TABLE units (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    chunk INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    verbatim INTEGER NOT NULL,
    degraded INTEGER NOT NULL,
    origin TEXT NOT NULL,
    context TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX units_by_id ON units (id);

CREATE TABLE mentions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    unit INTEGER NOT NULL,
    entity INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    surface TEXT NOT NULL,
    key TEXT NOT NULL,
    type TEXT NOT NULL
);

CREATE TABLE topics (
    number INTEGER PRIMARY KEY,
    chunk INTEGER NOT NULL,
    entity INTEGER NOT NULL,
    weight REAL NOT NULL,
    source TEXT NOT NULL
);

CREATE TABLE facts (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    unit INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    predicate TEXT NOT NULL,
    object TEXT NOT NULL,
    predicate_as_said TEXT NOT NULL,
    negated INTEGER NOT NULL,
    confidence REAL NOT NULL,
    time_start TEXT NOT NULL,
    time_end TEXT NOT NULL,
    time_as_said TEXT NOT NULL,
    condition TEXT NOT NULL,
    modality TEXT NOT NULL
);
CREATE INDEX facts_by_unit ON facts (unit);

CREATE TABLE merges (
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    merged_key TEXT NOT NULL,
    merged_name TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX merges_by_id ON merges (id);

-- Entities belong to all documents that speak of them: what each says is a vote, and the votes
-- decide the name (clew.stores.naming).

CREATE TABLE entities (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    aliases TEXT NOT NULL
);
CREATE INDEX entities_by_key ON entities (key);

CREATE TABLE entity_forms (
    entity INTEGER NOT NULL,
    key TEXT NOT NULL,
    form TEXT NOT NULL,
    titles INTEGER NOT NULL,
    mentions INTEGER NOT NULL,
    names INTEGER NOT NULL,
    aliases INTEGER NOT NULL,
    PRIMARY KEY (entity, key, form)
) WITHOUT ROWID;

CREATE TABLE entity_types (
    entity INTEGER NOT NULL,
    type TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (entity, type)
) WITHOUT ROWID;

CREATE TABLE entity_keys (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    entity INTEGER NOT NULL
);
CREATE INDEX entity_keys_by_key ON entity_keys (key);
CREATE INDEX entity_keys_by_entity ON entity_keys (entity);

-- Keys between two blanks, by runs of three characters; rowid is entity_keys.number.
CREATE VIRTUAL TABLE entity_trigrams USING fts5 (
    key, content = '', detail = none, columnsize = 0, tokenize = 'trigram case_sensitive 1'
);

-- Model replies that were paid for.
CREATE TABLE replies (
    document_id TEXT NOT NULL,
    key TEXT NOT NULL,
    reply TEXT NOT NULL,
    PRIMARY KEY (document_id, key)
) WITHOUT ROWID;
CREATE INDEX replies_by_key ON replies (key);

-- Merges that were taken back stay so when their document is committed again.
CREATE TABLE undone_merges (
    document_id TEXT NOT NULL,
    merge_id TEXT NOT NULL,
    PRIMARY KEY (document_id, merge_id)
) WITHOUT ROWID;

-- Arrays for searching, derived from the records. A segment covers documents with numbers in a
-- row; it never changes, save that its documents die, and small ones are merged into larger ones.

CREATE TABLE segments (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    first_document INTEGER NOT NULL,
    last_document INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    records INTEGER NOT NULL
);

CREATE TABLE segment_arrays (
    segment INTEGER NOT NULL,
    name TEXT NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (segment, name)
);

-- Postings: blocks of neighbouring terms with the rows that hold them.
CREATE TABLE segment_terms (
    number INTEGER PRIMARY KEY,
    segment INTEGER NOT NULL,
    layer TEXT NOT NULL,
    first_term TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE INDEX segment_terms_in_order ON segment_terms (segment, layer, first_term);

CREATE TABLE dead_documents (
    number INTEGER PRIMARY KEY
);

-- How many rows of each vector file count; whatever lies behind them was never committed.
CREATE TABLE vector_files (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    layer TEXT NOT NULL,
    rows INTEGER NOT NULL
);
