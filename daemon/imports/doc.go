// Package imports takes skills from elsewhere through the same gate as any other: uploaded or fetched, unpacked
// safely, scanned, shown, and installed only when a person decides so for exactly this content (DOC3 0C.20).
//
// An upload is a temporary artefact for 24 hours. Scanning it makes an import, whose states follow one table
// (machine.go); staging unpacks it into its own folder; approving or installing runs the install saga of package
// ability, in whose last transaction the import changes, too.
//
// Guarantees: every state change is one transaction with its receipt, its event and the current view
// (system/skills/imports_current.json). What is scanned, staged, shown and installed is one content hash; any
// difference ends in a failure. Nothing of a skill is written before the whole archive was found safe (package
// archive), and nothing of a failed, rejected, discarded or expired import stays on the disk. After a crash, work in
// flight has failed and can be retried.
//
// Not guaranteed: that a clean report means a harmless skill. A fetched file is not fetched again to see whether its
// source changed.
//
// To test against it: New over a store in t.TempDir with a fake Installer; Recover simulates a restart, Tidy the
// passing of time.
package imports
