// Package files sees what becomes of the files in the folders that a session names: evidence of effect (decisions B12), not
// what anybody did. It belongs to every session whose scope names folders and needs no naming of its own.
//
// It keeps a listing of the named folders in memory and lets the operating system's notifications (fsnotify) say only where to
// look again. Once a folder has been quiet for a moment it compares the disk with the listing, so what an editor does on its way
// (backup, temporary file, rename) is gone and the effect remains: created, changed, moved or removed. A file is the same file
// when the file system says so, which is how a move is told; a file that came and went at once is nothing.
//
// Guarantees: never anything outside the named folders, symbolic links are not followed, content is read only to hash it (up
// to 64 MB) and never kept; what changes while paused is not reported afterwards; many changes at once become a bounded number
// of observations with a count. Repositories' insides, caches, package folders and Showhow's own folders are left out.
//
// Not guaranteed: a file that changes twice within the quiet time is one change; changes made by another computer on a network
// file system are seen late or never; beyond the system's number of watches, or 20,000 folders or 200,000 files, it is degraded
// and says so; where the file system gives files no identity (Windows), a move within the scope is a removal and a creation.
//
// Test against it with real files in t.TempDir: see files_test.go; the property test compares whatever was reported with the
// folder as it is in the end.
package files
