-- Learn sessions, boundaries, proposals with their revisions, and questions. body is the resource as JSON; the other columns
-- are what is queried. Times are RFC 3339 UTC with milliseconds, which sort as text.

CREATE TABLE learn_sessions(
  session_id  TEXT PRIMARY KEY,
  target_id   TEXT NOT NULL,               -- the learning target: the first session's id, shared by its examples
  state       TEXT NOT NULL,
  ended       INTEGER NOT NULL,
  ended_at    TEXT,
  archived    INTEGER NOT NULL,
  purged      INTEGER NOT NULL,            -- its raw data is gone
  proposal_id TEXT,
  created_at  TEXT NOT NULL,
  updated_at  TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX learn_sessions_target ON learn_sessions(target_id);
CREATE INDEX learn_sessions_open ON learn_sessions(ended, created_at);
CREATE INDEX learn_sessions_updated ON learn_sessions(updated_at);

CREATE TABLE learn_boundaries(
  boundary_id TEXT PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES learn_sessions(session_id) ON DELETE CASCADE,
  ord         INTEGER NOT NULL,            -- order within the session
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX learn_boundaries_session ON learn_boundaries(session_id, ord);

CREATE TABLE learn_proposals(
  proposal_id TEXT PRIMARY KEY,
  session_id  TEXT,                        -- the session may be deleted while its skill stays
  state       TEXT NOT NULL,
  slug        TEXT NOT NULL,
  archived    INTEGER NOT NULL,
  created_at  TEXT NOT NULL,
  updated_at  TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX learn_proposals_state ON learn_proposals(state, updated_at);
CREATE INDEX learn_proposals_session ON learn_proposals(session_id);

CREATE TABLE learn_revisions(
  revision_key TEXT PRIMARY KEY,           -- proposal id and number
  proposal_id  TEXT NOT NULL REFERENCES learn_proposals(proposal_id) ON DELETE CASCADE,
  number       INTEGER NOT NULL,
  body         TEXT NOT NULL               -- the compiled draft with its bundle
) STRICT;
CREATE UNIQUE INDEX learn_revisions_number ON learn_revisions(proposal_id, number);

CREATE TABLE learn_questions(
  question_id TEXT PRIMARY KEY,
  proposal_id TEXT NOT NULL REFERENCES learn_proposals(proposal_id) ON DELETE CASCADE,
  ord         INTEGER NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX learn_questions_proposal ON learn_questions(proposal_id, ord);

-- Deletions whose records are gone and whose raw data is being purged; a crash is made good at the next start.
CREATE TABLE learn_deletions(
  deletion_id TEXT PRIMARY KEY,
  body        TEXT NOT NULL                -- ids of sessions and of targets whose keys go
) STRICT;
