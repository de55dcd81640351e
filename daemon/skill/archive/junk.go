package archive

import (
	"strings"

	"showhow/daemon/skill"
)

// left are folders and files that systems and tools leave everywhere. They are not part of a skill and are not
// unpacked.
var left = map[string]bool{
	"__macosx": true, ".ds_store": true, "thumbs.db": true, "desktop.ini": true, ".spotlight-v100": true, ".trashes": true,
	".git": true, ".hg": true, ".svn": true, ".bzr": true, // a repository's own folder can hold commands that git would run
}

// Junk reports whether a path is left out of every skill.
func Junk(name string) bool {
	for seg := range strings.SplitSeq(strings.ToLower(name), "/") {
		if left[seg] || strings.HasPrefix(seg, "._") {
			return true
		}
	}
	return false
}

// hostManaged reports whether the host writes this path of the bundle. A foreign one would be outside the content hash
// (decisions D5) and is left out.
func hostManaged(name string) bool { return strings.EqualFold(name, skill.HostManaged) }
