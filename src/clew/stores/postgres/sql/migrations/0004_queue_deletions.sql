-- A document can be deleted by its name or its file, also while a worker has it: then whoever takes
-- it next deletes what that worker may have committed.

ALTER TABLE queue
    ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN is_deleted boolean NOT NULL DEFAULT false;
UPDATE queue SET source = doc_id;
