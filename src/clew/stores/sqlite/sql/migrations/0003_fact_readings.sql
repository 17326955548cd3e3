-- What a fact says beside its time and condition: for how many, as what kind of utterance, in which
-- tense, and on what day it was said.

ALTER TABLE facts ADD COLUMN quantifier TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN speech_act TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN tense TEXT NOT NULL DEFAULT '';
ALTER TABLE facts ADD COLUMN stated_at TEXT NOT NULL DEFAULT '';
