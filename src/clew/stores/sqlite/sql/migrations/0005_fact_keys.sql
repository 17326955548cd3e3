-- Facts are found by what they speak of and by their predicate.

ALTER TABLE facts ADD COLUMN subject_key TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN object_key TEXT NOT NULL DEFAULT '';
UPDATE facts SET subject_key = name_key(subject), object_key = name_key(object);
CREATE INDEX facts_by_subject ON facts (subject_key);
CREATE INDEX facts_by_object ON facts (object_key);
CREATE INDEX facts_by_predicate ON facts (predicate);
