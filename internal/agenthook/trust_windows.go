package agenthook

import "io/fs"

// asTrusted is always true: folders with programs are protected by the system. Never run there.
func asTrusted(_, _ fs.FileInfo) bool { return true }
