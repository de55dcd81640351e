// Package skill is the bundle that agents read: a folder with SKILL.md and, beside it, references, tests and capability
// manifests. It parses, validates, hashes and writes bundles; it knows nothing of sessions or learning.
//
// What is written carries only the six standard frontmatter keys (name, description, license, compatibility, metadata,
// allowed-tools); what is read may carry any known dialect (design.md 5.9).
package skill

// File is one file of a bundle. Path is relative, with slashes, lower risk of surprise: no "..", no absolute path, no link.
type File struct {
	Path string
	Mode uint32 // 0644 or 0755
	Data []byte
}

// Bundle is a skill in memory. Files are sorted by path and include SKILL.md.
type Bundle struct {
	Name  string // the folder's and the frontmatter's name
	Files []File
}
