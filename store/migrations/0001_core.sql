-- What every capability stands on: receipts, the outbox, the canonical files, the observations and the vault.

CREATE TABLE meta(
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE receipts(
  receipt_id  TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  session_id  TEXT,
  proposal_id TEXT,
  ability_id  TEXT,
  created_at  TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_created ON receipts(created_at);
CREATE INDEX receipts_session ON receipts(session_id, created_at) WHERE session_id IS NOT NULL;

-- One row per lifecycle event (path NULL) or per change of a canonical file (path set), in commit order. AUTOINCREMENT:
-- a sequence is never given twice, because streams and files remember it.
CREATE TABLE outbox(
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  path       TEXT,
  session_id TEXT,
  body       TEXT
) STRICT;
CREATE INDEX outbox_pending ON outbox(path, seq) WHERE path IS NOT NULL;
CREATE INDEX outbox_session ON outbox(session_id, seq) WHERE path IS NULL AND session_id IS NOT NULL;

-- What each canonical file must contain, and what was last seen to be on the disk (disk_*).
-- gone marks a file that must not exist any more; its row goes when the file is gone. start is the change that last emptied
-- the path: what is on the disk from before it is replaced, not appended to.
CREATE TABLE files(
  path       TEXT PRIMARY KEY,
  kind       TEXT NOT NULL CHECK(kind IN ('json', 'jsonl')),
  seq        INTEGER NOT NULL,
  body       TEXT,
  gone       INTEGER NOT NULL DEFAULT 0,
  start      INTEGER NOT NULL DEFAULT 0,
  disk_seq   INTEGER NOT NULL DEFAULT 0,
  disk_size  INTEGER NOT NULL DEFAULT 0,
  disk_mtime INTEGER NOT NULL DEFAULT 0,
  disk_hash  TEXT NOT NULL DEFAULT ''
) STRICT;

-- The lines of canonical JSONL files; seq is their place in the outbox.
CREATE TABLE lines(
  seq  INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX lines_path ON lines(path, seq);

-- A session's traces. Observations name one by number: the ids are long and repeat.
CREATE TABLE traces(
  id         INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  trace_id   TEXT NOT NULL,
  UNIQUE(session_id, trace_id)
) STRICT;
CREATE INDEX traces_trace ON traces(trace_id);

-- Observations: redacted before they come here. seq is arrival order over all sessions and is never given twice.
-- event_id is the id's 16 bytes; after is '=' when it equals before.
CREATE TABLE observations(
  seq      INTEGER PRIMARY KEY,
  event_id BLOB NOT NULL UNIQUE,
  trace    INTEGER NOT NULL REFERENCES traces(id),
  event    TEXT NOT NULL,
  action   TEXT NOT NULL,
  before   TEXT,
  after    TEXT
) STRICT;
CREATE INDEX observations_trace ON observations(trace, seq);

-- Sealed values, once per session that supplied them, so that purging one example leaves the other whole.
CREATE TABLE sealed(
  id         INTEGER PRIMARY KEY,
  target     TEXT NOT NULL,
  link_id    TEXT NOT NULL,
  session_id TEXT NOT NULL,
  kind       TEXT NOT NULL,
  nonce      BLOB NOT NULL,
  sealed     BLOB NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE(target, session_id, link_id)
) STRICT;
CREATE INDEX sealed_session ON sealed(session_id);

-- Purges that have begun and are not over. A row here means: finish it before anything is served.
-- sessions, events and targets are JSON arrays of ids; removed and unsealed count what is gone so far.
CREATE TABLE purges(
  purge_id   TEXT PRIMARY KEY,
  sessions   TEXT NOT NULL,
  events     TEXT NOT NULL,
  targets    TEXT NOT NULL,
  removed    INTEGER NOT NULL DEFAULT 0,
  unsealed   INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
) STRICT;
