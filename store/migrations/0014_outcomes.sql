-- What uses and trials of abilities came to: steps and codes, nothing that anybody typed.

CREATE TABLE ability_outcomes(
  outcome_id TEXT PRIMARY KEY,
  ability_id TEXT NOT NULL,
  at         TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ability_outcomes_of ON ability_outcomes(ability_id, at);
