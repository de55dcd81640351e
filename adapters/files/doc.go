// Package files observes what happens to the files in the folders that a session names: evidence of effect (decisions
// B12), not what anybody did. It runs for every session whose scope names folders; nobody names the adapter itself.
//
// It keeps a listing of the named folders in memory; the operating system's notifications (fsnotify) only say where
// to look again. Once a folder has been quiet for a moment the disk is compared with the listing, so an editor's
// intermediate steps (backup, temporary file, rename) disappear and the effect remains: created, changed, moved or
// removed. The file system's identity tells whether a file is the same, which is how a move is recognised; a file
// that came and went in between is not reported.
//
// Guarantees: nothing outside the named folders is reported; symbolic links are not followed; content is read only to
// hash it (up to 64 MB) and never kept; changes made while paused are not reported afterwards; many changes at once
// become a bounded number of observations with a count. Repository internals, caches, package folders and Showhow's
// own folders are excluded.
//
// Not guaranteed: a file that changes twice within the quiet time is one change; changes made by another computer on
// a network file system are seen late or never; beyond the system's limit of watches, 20,000 folders or 200,000 files
// it is degraded and says so; where the file system gives files no identity (Windows), a move within the scope is a
// removal and a creation.
//
// Test against it with real files in t.TempDir: see files_test.go; the property test compares what was reported with
// the final folder.
package files
