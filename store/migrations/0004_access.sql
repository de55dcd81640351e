-- Who may call besides the person, and what was already asked.

-- A token is kept as its SHA-256 only. A name is one agent's as long as it is in force.
CREATE TABLE agents(
  agent_id   TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT;
CREATE UNIQUE INDEX agents_in_force ON agents(name) WHERE revoked_at IS NULL;

-- Requests that were done, for a day. key and sealed are made from the caller's request id, which is not kept, so nothing
-- readable of a response is here.
CREATE TABLE remembered(
  key        BLOB PRIMARY KEY,
  request    BLOB NOT NULL,
  sealed     BLOB NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_expires ON remembered(expires_at);
