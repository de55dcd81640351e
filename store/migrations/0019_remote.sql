-- Callers from elsewhere: what a person decided, programs that registered, who was let in, and their tokens by hash.

CREATE TABLE remote_settings(
  id   TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE remote_clients(
  client_id  TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE remote_callers(
  caller_id   TEXT PRIMARY KEY,
  approved_at TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE remote_tokens(
  hash       TEXT PRIMARY KEY,
  caller_id  TEXT NOT NULL,
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remote_tokens_caller ON remote_tokens(caller_id);
