-- What a person approved, whole: to show what changed since, and to put it back. One per ability.

CREATE TABLE approved_contents(
  ability_id TEXT PRIMARY KEY,
  hash       TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;

-- Categories that a person sorts things into, and what is in them. Both overlap freely.

CREATE TABLE categories(
  category_id TEXT PRIMARY KEY,
  title_key   TEXT NOT NULL UNIQUE,        -- the title as it is compared
  created_at  TEXT NOT NULL,
  body        TEXT NOT NULL
) STRICT;

CREATE TABLE category_assignments(
  category_id TEXT NOT NULL REFERENCES categories(category_id) ON DELETE CASCADE,
  item_kind   TEXT NOT NULL,
  item_id     TEXT NOT NULL,
  assigned_at TEXT NOT NULL,
  PRIMARY KEY(category_id, item_kind, item_id)
) STRICT;
CREATE INDEX category_assignments_item ON category_assignments(item_kind, item_id);
