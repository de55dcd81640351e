-- Agents' runs in the sandbox, and what was observed of them. Neither holds a value of a credential, an answer or an output.

CREATE TABLE sandbox_runs(
  run_id     TEXT PRIMARY KEY,
  state      TEXT NOT NULL,
  started_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_runs_started ON sandbox_runs(started_at);

CREATE TABLE sandbox_evidence(
  run_id TEXT PRIMARY KEY REFERENCES sandbox_runs(run_id) ON DELETE CASCADE,
  body   TEXT NOT NULL
) STRICT;
