-- One store is one schema. Numbers are given out once and never used again for another record.
-- Texts that are sorted, or searched by their beginning, are in the order of code points ("C").
-- Indexes on names take their first 200 characters: an index entry has a limit, a name has none.

CREATE TABLE state (
    single integer PRIMARY KEY CHECK (single = 0),
    application text NOT NULL DEFAULT 'clew',
    layout integer NOT NULL DEFAULT 0,
    generation bigint NOT NULL DEFAULT 0,
    space integer NOT NULL DEFAULT 0,
    fingerprint text,
    dimensions integer,
    next_entity bigint NOT NULL DEFAULT 0,
    documents bigint NOT NULL DEFAULT 0,
    chunks bigint NOT NULL DEFAULT 0,
    units bigint NOT NULL DEFAULT 0,
    facts bigint NOT NULL DEFAULT 0,
    mentions bigint NOT NULL DEFAULT 0,
    topics bigint NOT NULL DEFAULT 0,
    edges bigint NOT NULL DEFAULT 0,
    entities bigint NOT NULL DEFAULT 0,
    chunk_terms bigint NOT NULL DEFAULT 0,
    unit_terms bigint NOT NULL DEFAULT 0
);
INSERT INTO state (single) VALUES (0);

-- Apart from the state: writers take numbers at once, and hold the state only at their end.
CREATE TABLE numbers (
    single integer PRIMARY KEY CHECK (single = 0),
    next_document bigint NOT NULL DEFAULT 0,
    next_chunk bigint NOT NULL DEFAULT 0,
    next_unit bigint NOT NULL DEFAULT 0,
    next_mention bigint NOT NULL DEFAULT 0,
    next_topic bigint NOT NULL DEFAULT 0,
    next_fact bigint NOT NULL DEFAULT 0
);
INSERT INTO numbers (single) VALUES (0);

-- Records. Those of one document have numbers in a row, from first_… on. Metadata stands here
-- twice: as it was given, and as filters read it.

CREATE TABLE documents (
    number bigint PRIMARY KEY,
    id text NOT NULL UNIQUE,
    doc_id text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    title text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    media_type text COLLATE "C" NOT NULL,
    content_hash text NOT NULL,
    source_hash text NOT NULL,
    metadata text NOT NULL,
    pages text NOT NULL,
    first_chunk bigint NOT NULL,
    chunks integer NOT NULL,
    first_unit bigint NOT NULL,
    units integer NOT NULL,
    first_mention bigint NOT NULL,
    mentions integer NOT NULL,
    first_topic bigint NOT NULL,
    topics integer NOT NULL,
    first_fact bigint NOT NULL,
    facts integer NOT NULL,
    edges integer NOT NULL,
    chunk_terms bigint NOT NULL,
    unit_terms bigint NOT NULL,
    described jsonb NOT NULL
);
CREATE INDEX documents_by_scope ON documents (left(scope, 200), number);

-- What lists of documents do not need: apart, so that they need not read past it.
CREATE TABLE bodies (
    document bigint PRIMARY KEY,
    blocks text NOT NULL,
    entities text NOT NULL,
    reply_keys text NOT NULL,
    text text NOT NULL
);

CREATE TABLE chunks (
    number bigint PRIMARY KEY,
    id text NOT NULL,
    document bigint NOT NULL,
    position integer NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    page integer,
    heading_path text NOT NULL,
    context text NOT NULL,
    metadata text NOT NULL,
    text text NOT NULL
);
CREATE INDEX chunks_by_id ON chunks (id);

CREATE TABLE units (
    number bigint PRIMARY KEY,
    id text NOT NULL,
    chunk bigint NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    verbatim boolean NOT NULL,
    degraded boolean NOT NULL,
    origin text NOT NULL,
    context text NOT NULL,
    text text NOT NULL
);
CREATE INDEX units_by_id ON units (id);
CREATE INDEX units_by_chunk ON units (chunk, number);

-- Mentions and topics name their document and chunk, so that a hop with a filter, and a count of
-- chunks, reads one index and no table.

CREATE TABLE mentions (
    number bigint PRIMARY KEY,
    id text NOT NULL,
    document bigint NOT NULL,
    chunk bigint NOT NULL,
    unit bigint NOT NULL,
    entity bigint NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    surface text NOT NULL,
    key text NOT NULL,
    type text NOT NULL
);
CREATE INDEX mentions_by_unit ON mentions (unit, entity);
CREATE INDEX mentions_by_entity ON mentions (entity, unit) INCLUDE (document, chunk);

CREATE TABLE topics (
    number bigint PRIMARY KEY,
    document bigint NOT NULL,
    chunk bigint NOT NULL,
    entity bigint NOT NULL,
    weight double precision NOT NULL,
    source text NOT NULL
);
CREATE INDEX topics_by_chunk ON topics (chunk, entity) INCLUDE (weight);
CREATE INDEX topics_by_entity ON topics (entity, chunk) INCLUDE (document, weight);

CREATE TABLE facts (
    number bigint PRIMARY KEY,
    id text NOT NULL,
    document bigint NOT NULL,
    unit bigint NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    predicate text COLLATE "C" NOT NULL,
    object text NOT NULL,
    predicate_as_said text NOT NULL,
    negated boolean NOT NULL,
    confidence double precision NOT NULL,
    time_start text NOT NULL,
    time_end text NOT NULL,
    time_as_said text NOT NULL,
    condition text NOT NULL,
    modality text NOT NULL,
    quantifier text NOT NULL,
    speech_act text NOT NULL,
    tense text NOT NULL,
    stated_at text NOT NULL,
    subject_key text NOT NULL,
    object_key text NOT NULL
);
CREATE INDEX facts_by_unit ON facts (unit);
CREATE INDEX facts_by_subject ON facts (left(subject_key, 200));
CREATE INDEX facts_by_object ON facts (left(object_key, 200));
CREATE INDEX facts_by_predicate ON facts (left(predicate, 200));

CREATE TABLE merges (
    document bigint NOT NULL,
    position integer NOT NULL,
    id text NOT NULL,
    entity_id text NOT NULL,
    merged_key text NOT NULL,
    merged_name text NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (document, position)
);
CREATE INDEX merges_by_id ON merges (id);

-- Entities belong to all documents that speak of them: what each says is a vote, and the votes
-- decide the name (clew.stores.naming).

CREATE TABLE entities (
    number bigint PRIMARY KEY,
    id text NOT NULL UNIQUE,
    key text COLLATE "C" NOT NULL,
    scope text NOT NULL,
    name text COLLATE "C" NOT NULL,
    type text NOT NULL,
    aliases text NOT NULL
);
CREATE INDEX entities_by_key ON entities (left(key, 200));

CREATE TABLE entity_forms (
    entity bigint NOT NULL,
    key text NOT NULL,
    form text NOT NULL,
    titles integer NOT NULL,
    mentions integer NOT NULL,
    names integer NOT NULL,
    aliases integer NOT NULL
);
CREATE INDEX entity_forms_by_entity ON entity_forms (entity);

CREATE TABLE entity_types (
    entity bigint NOT NULL,
    type text NOT NULL,
    count integer NOT NULL
);
CREATE INDEX entity_types_by_entity ON entity_types (entity);

-- The keys by which entities are found: whole, by the first letters of all their words or of those
-- that are not small, and by runs of three characters.
CREATE TABLE entity_keys (
    entity bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    initials text NOT NULL,
    content_initials text NOT NULL,
    trigrams text[] NOT NULL
);
CREATE INDEX entity_keys_by_entity ON entity_keys (entity);
CREATE INDEX entity_keys_by_key ON entity_keys (left(key, 200));
CREATE INDEX entity_keys_by_initials ON entity_keys (left(initials, 200));
CREATE INDEX entity_keys_by_content_initials ON entity_keys (left(content_initials, 200));
CREATE INDEX entity_keys_by_trigrams ON entity_keys USING gin (trigrams);

-- Full text: the postings of one term in one document, packed (clew.stores.postgres.fulltext).
CREATE TABLE chunk_terms (
    term text COLLATE "C" NOT NULL,
    document bigint NOT NULL,
    data bytea NOT NULL
);
CREATE INDEX chunk_terms_by_term ON chunk_terms (term);
CREATE INDEX chunk_terms_by_document ON chunk_terms (document);

CREATE TABLE unit_terms (
    term text COLLATE "C" NOT NULL,
    document bigint NOT NULL,
    data bytea NOT NULL
);
CREATE INDEX unit_terms_by_term ON unit_terms (term);
CREATE INDEX unit_terms_by_document ON unit_terms (document);

-- Vectors, each in the space of the embedder that made it: those of the next one can be written
-- while the old ones still serve. Rows of up to one page stay whole: a scan reads them in a row.
CREATE TABLE chunk_vectors (
    space integer NOT NULL,
    number bigint NOT NULL,
    document bigint NOT NULL,
    vector vector NOT NULL,
    PRIMARY KEY (space, number)
) WITH (toast_tuple_target = 8160);
CREATE INDEX chunk_vectors_by_document ON chunk_vectors (document);

CREATE TABLE unit_vectors (
    space integer NOT NULL,
    number bigint NOT NULL,
    document bigint NOT NULL,
    vector vector NOT NULL,
    PRIMARY KEY (space, number)
) WITH (toast_tuple_target = 8160);
CREATE INDEX unit_vectors_by_document ON unit_vectors (document);

-- Model replies that were paid for.
CREATE TABLE replies (
    document_id text NOT NULL,
    key text NOT NULL,
    reply text NOT NULL,
    PRIMARY KEY (document_id, key)
);
CREATE INDEX replies_by_key ON replies (key);

-- Merges that were taken back stay so when their document is committed again.
CREATE TABLE undone_merges (
    document_id text NOT NULL,
    merge_id text NOT NULL,
    PRIMARY KEY (document_id, merge_id)
);

-- Who used how much of which language model, for what. Costs of unknown price have no currency.
CREATE TABLE usage (
    digest text PRIMARY KEY,
    scope text COLLATE "C" NOT NULL,
    day text COLLATE "C" NOT NULL,
    stage text COLLATE "C" NOT NULL,
    document_id text COLLATE "C" NOT NULL,
    question text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    calls bigint NOT NULL,
    cached_calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    estimated_tokens bigint NOT NULL,
    seconds double precision NOT NULL,
    cost double precision NOT NULL
);
CREATE INDEX usage_by_document ON usage (document_id);

-- What people decided about names.
CREATE TABLE decisions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    key text NOT NULL,
    name text NOT NULL,
    into_key text NOT NULL,
    into_name text NOT NULL,
    type text NOT NULL,
    doc_ids text NOT NULL,
    scope text NOT NULL
);
