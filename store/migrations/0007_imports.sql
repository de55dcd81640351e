-- Skills from elsewhere: uploads that live for a day, and imports.

CREATE TABLE skill_uploads(
  upload_ref TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;

CREATE TABLE skill_imports(
  import_id  TEXT PRIMARY KEY,
  state      TEXT NOT NULL,
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX skill_imports_created ON skill_imports(created_at);
