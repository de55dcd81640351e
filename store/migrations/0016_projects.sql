-- By which names projects go and where their documents are; the projects themselves are somebody else's.

CREATE TABLE project_bindings(
  project_id TEXT PRIMARY KEY,
  body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
