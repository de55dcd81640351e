-- The index of the notes folder, which can be made again from the folder, and the change sets.

CREATE TABLE notes_rows(
  row_id INTEGER PRIMARY KEY,
  path   TEXT NOT NULL UNIQUE,
  hash   TEXT NOT NULL,
  doc_id TEXT NOT NULL,
  kind   TEXT NOT NULL,
  at     TEXT NOT NULL,
  body   TEXT NOT NULL
) STRICT;
CREATE INDEX notes_rows_doc ON notes_rows(doc_id);

-- The words, without the texts: package notes cuts them, so that all scripts are found.
CREATE VIRTUAL TABLE notes_words USING fts5(title, text, content='', contentless_delete=1,
  tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'");

CREATE TABLE notes_changes(
  change_set_id TEXT PRIMARY KEY,
  status        TEXT NOT NULL,
  at            TEXT NOT NULL,
  body          TEXT NOT NULL
) STRICT;
CREATE INDEX notes_changes_status ON notes_changes(status, at);
