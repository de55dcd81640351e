-- Consents to look by itself whether abilities still work, and what that cost each day.

CREATE TABLE canaries(
  ability_id TEXT PRIMARY KEY,
  granted_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE canary_days(
  date TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE canary_settings(
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
