// Package store is the single writer of all durable data: SQLite in WAL mode with one writer connection and numbered
// migrations, an outbox in commit order, the canonical files that mirror the database, the observations, the sealed
// vault, and the purge.
//
// Capabilities declare the storage they need; the methods here implement it, one file per capability (learn.go,
// ability.go, access.go) with its migration, all on Tx and the document helpers in docs.go. The store does not know
// what the documents mean.
//
// # Guarantees
//
// Update commits all of a change or none of it: records, receipts, lifecycle events, changes of canonical files. When
// it returns nil the change survives a power loss (synchronous=FULL) and its canonical files are on the disk. If a
// file cannot be written at that time, the commit stands, the failure is logged, and Run tries again.
//
// Append stores observations in commits shared by concurrent callers; when it returns nil they survive a killed
// process (synchronous=NORMAL), and a power loss may take the last moments. Sequences are assigned once, in order of
// arrival, over all sessions; only deleted observations leave gaps.
//
// Canonical files equal the database byte for byte whenever no change of theirs is pending (VerifyProjections). Each
// file contains outbox_seq, the position of its last change in the outbox; so does each line. Files are replaced by
// rename and appended to in outbox order. Open truncates a torn line, rebuilds what is missing (with a
// migration_backfill receipt), and finishes what was pending. A file in the place of ours that we did not write is
// renamed to NAME.foreign-TIME, never overwritten. An edit is noticed by size and time, at start or at the file's
// next change.
//
// Events are delivered in commit order; at least the last 10,000 can be read again, and EventSpan says where a reader
// must start over.
//
// Purge and DeleteObservation return when no byte of what they removed is left in the data directory: not in the
// database, its log, its backups. Once begun they are finished, by this process or by the next Open before it returns
// (purge.go describes how). Rows deleted by other transactions, such as a session's record, may leave bytes behind
// until the next purge.
//
// Open locks the data directory for this process, keeps it 0700 and its files 0600, and fails with a fault that says
// what to do: DATA_DIR_LOCKED, DATA_DIR_FOREIGN, STORE_NEWER, STORE_CORRUPT, STORE_READ_ONLY, STORE_FULL.
//
// # Not guaranteed
//
// What a file system or an SSD keeps of blocks it has remapped or snapshotted is out of reach. Files under the memory
// root that were not written through Tx (skill bundles) are not the store's. There is no downgrade: a database of a
// newer version is refused. An emptied folder stays. On Windows access is protected by the profile folder's ACL, and
// a rename is not synced.
//
// # Rules for users
//
// fn of Update must not call Update, Append or Purge: there is one writer, so this would deadlock. fn of View has one
// second, because a purge waits for readers; read long data in parts. A captured value never goes into a receipt or
// event.
//
// # Testing
//
// Test against the real thing: Open(ctx, Options{Dir: t.TempDir()}). TestCrash kills a process at random moments
// (SHOWHOW_CRASH_ROUNDS), TestPurgeKilledBetweenAnyTwoSteps kills a purge after each of its steps, testdata/golden
// has a database of every released schema (-update adds the newest), bench_test.go measures against plain SQLite.
package store
