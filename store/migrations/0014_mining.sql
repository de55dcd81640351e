-- Routines that were found in work. A fingerprint says which steps a piece of work had, never with which values; both tables hold
-- resources as JSON.

CREATE TABLE mining_fingerprints(
  work_id TEXT PRIMARY KEY,
  kind    TEXT NOT NULL,
  at      TEXT NOT NULL,
  body    TEXT NOT NULL
) STRICT;
CREATE INDEX mining_fingerprints_at ON mining_fingerprints(at);

-- id '' with kind 'settings' is the settings; kind 'candidate' a routine.
CREATE TABLE mining_records(
  id   TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
