-- Practices: how an agent's attempts at a task stand. Goals are what the person wrote; commands and hints are not kept.

CREATE TABLE practices(
  practice_id TEXT PRIMARY KEY,
  state       TEXT NOT NULL,
  started_at  TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX practices_started ON practices(started_at);
