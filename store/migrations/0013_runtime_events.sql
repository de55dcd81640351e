-- What agents' runtimes send (docs/events.md): the originals, sealed; what can be read of them, redacted; what was projected.

CREATE TABLE runtime_deliveries(
  delivery_id TEXT PRIMARY KEY,
  target      TEXT NOT NULL,               -- of the key that seals the original
  received_at TEXT NOT NULL,
  raw         BLOB                         -- NULL: the original was purged
) STRICT;

-- One row per envelope, in the order they came.
CREATE TABLE runtime_envelopes(
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  envelope_id TEXT NOT NULL UNIQUE,
  event_id    TEXT NOT NULL UNIQUE,
  session_id  TEXT NOT NULL,
  delivery_id TEXT NOT NULL REFERENCES runtime_deliveries(delivery_id),
  reported_by TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX runtime_envelopes_session ON runtime_envelopes(session_id, seq);
CREATE INDEX runtime_envelopes_delivery ON runtime_envelopes(delivery_id);
CREATE INDEX runtime_envelopes_reporter ON runtime_envelopes(reported_by);

-- told is 0 until whoever follows abilities has heard of it.
CREATE TABLE runtime_feedback(
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  feedback_id TEXT NOT NULL UNIQUE,
  session_id  TEXT NOT NULL,
  told        INTEGER NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX runtime_feedback_session ON runtime_feedback(session_id, seq);
CREATE INDEX runtime_feedback_untold ON runtime_feedback(seq) WHERE told=0;

CREATE TABLE runtime_sessions(
  session_id   TEXT PRIMARY KEY,
  stage        TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  body         TEXT NOT NULL
) STRICT;
CREATE INDEX runtime_sessions_stage ON runtime_sessions(stage, last_seen_at);
CREATE INDEX runtime_sessions_seen ON runtime_sessions(last_seen_at, session_id);

-- Runtime sessions whose deletion has begun; a JSON array like the others.
ALTER TABLE purges ADD COLUMN runtime TEXT NOT NULL DEFAULT '[]';

-- Canonical files may be text: reports for people.
CREATE TABLE files_with_text(
  path       TEXT PRIMARY KEY,
  kind       TEXT NOT NULL CHECK(kind IN ('json', 'jsonl', 'text')),
  seq        INTEGER NOT NULL,
  body       TEXT,
  gone       INTEGER NOT NULL DEFAULT 0,
  start      INTEGER NOT NULL DEFAULT 0,
  disk_seq   INTEGER NOT NULL DEFAULT 0,
  disk_size  INTEGER NOT NULL DEFAULT 0,
  disk_mtime INTEGER NOT NULL DEFAULT 0,
  disk_hash  TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO files_with_text SELECT path, kind, seq, body, gone, start, disk_seq, disk_size, disk_mtime, disk_hash FROM files;
DROP TABLE files;
ALTER TABLE files_with_text RENAME TO files;
