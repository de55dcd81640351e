-- Agents that report what they do, and their kept runs. A run's records are observations of a session and trace that both
-- have its id; body is the resource as JSON and holds nothing that was observed.

CREATE TABLE observed_agents(
  agent TEXT PRIMARY KEY,
  body  TEXT NOT NULL
) STRICT;

CREATE TABLE agent_runs(
  run_id     TEXT PRIMARY KEY,
  agent      TEXT NOT NULL,
  started_at TEXT NOT NULL,
  gone       INTEGER NOT NULL,             -- in no list any more: it waits for its purge
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX agent_runs_started ON agent_runs(started_at);
