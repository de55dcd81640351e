CREATE TABLE IF NOT EXISTS receipts(receipt_id TEXT PRIMARY KEY, kind TEXT NOT NULL, session_id TEXT, proposal_id TEXT, ability_id TEXT, created_at TEXT NOT NULL, body TEXT NOT NULL) STRICT;
