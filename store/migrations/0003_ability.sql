-- Abilities, the install saga, the ledger of paths that Showhow made, checkpoint receipts, configuration, and validation runs.
-- body is the resource as JSON; the other columns are what is queried.

CREATE TABLE abilities(
  ability_id    TEXT PRIMARY KEY,
  slug          TEXT NOT NULL UNIQUE,      -- the skill's folder and name
  capability_id TEXT NOT NULL UNIQUE,
  created_at    TEXT NOT NULL,
  body          TEXT NOT NULL
) STRICT;

-- Sagas that are not over (open=1) are what a start after a crash looks for.
CREATE TABLE install_sagas(
  saga_id    TEXT PRIMARY KEY,
  open       INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX install_sagas_open ON install_sagas(created_at) WHERE open=1;

-- One row per path that Showhow made: the proof that it may remove it.
CREATE TABLE install_ledger(
  path       TEXT PRIMARY KEY,
  kind       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;

-- The current availability, catalog and bridge.
CREATE TABLE ability_states(
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE checkpoint_receipts(
  receipt_id    TEXT PRIMARY KEY,
  session_id    TEXT,
  dispatch_id   TEXT,
  ability_id    TEXT,
  checkpoint_id TEXT NOT NULL,
  status        TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  body          TEXT NOT NULL
) STRICT;
CREATE INDEX checkpoint_receipts_session ON checkpoint_receipts(session_id, created_at) WHERE session_id IS NOT NULL;
CREATE INDEX checkpoint_receipts_dispatch ON checkpoint_receipts(dispatch_id, created_at) WHERE dispatch_id IS NOT NULL;
CREATE INDEX checkpoint_receipts_ability ON checkpoint_receipts(ability_id, created_at) WHERE ability_id IS NOT NULL;

CREATE TABLE skill_configs(
  path TEXT PRIMARY KEY,                   -- of the canonical file
  body TEXT NOT NULL
) STRICT;

-- Applied configuration intents, so that each is applied once.
CREATE TABLE config_intents(
  intent_id TEXT PRIMARY KEY,
  body      TEXT NOT NULL
) STRICT;

CREATE TABLE validation_runs(
  run_id      TEXT PRIMARY KEY,
  proposal_id TEXT NOT NULL,
  revision    INTEGER NOT NULL,
  status      TEXT NOT NULL,
  started_at  TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX validation_runs_proposal ON validation_runs(proposal_id, started_at);
CREATE UNIQUE INDEX validation_runs_running ON validation_runs(proposal_id) WHERE status='running';

CREATE TABLE validation_steps(
  step_key TEXT PRIMARY KEY,               -- run id and place
  run_id   TEXT NOT NULL REFERENCES validation_runs(run_id) ON DELETE CASCADE,
  ord      INTEGER NOT NULL,
  body     TEXT NOT NULL
) STRICT;
CREATE INDEX validation_steps_run ON validation_steps(run_id, ord);
