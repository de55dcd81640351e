-- How things were when a step of a rehearsal failed. Raw data: it is purged with its session's observations.

CREATE TABLE rehearsal_evidence(
  evidence_id INTEGER PRIMARY KEY,
  run_id      TEXT NOT NULL,
  session_id  TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX rehearsal_evidence_run ON rehearsal_evidence(run_id);
CREATE INDEX rehearsal_evidence_session ON rehearsal_evidence(session_id);
