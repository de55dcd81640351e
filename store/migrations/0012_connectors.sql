-- Connectors: services that a person registered, what was decided about them, and calls that wait. Secrets are in the keychain; the
-- arguments of a call that waits are sealed.

CREATE TABLE connector_records(
  kind TEXT NOT NULL,
  id   TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(kind, id)
) STRICT, WITHOUT ROWID;

-- settled is 0 while a call is under way: after a crash such a row says that nobody knows how it ended.
CREATE TABLE connector_receipts(
  receipt_id TEXT PRIMARY KEY,
  server_id  TEXT,
  kind       TEXT NOT NULL,
  settled    INTEGER NOT NULL,
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX connector_receipts_server ON connector_receipts(server_id, receipt_id);
CREATE INDEX connector_receipts_open ON connector_receipts(receipt_id) WHERE settled=0;
