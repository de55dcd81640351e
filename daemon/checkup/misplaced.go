package checkup

import (
	"io/fs"
	"os"
	"path/filepath"
)

// canonicalFolders are those below the memory root that other programs read.
var canonicalFolders = []string{"system", "system/learning", "system/learning/installed", "system/abilities", "system/capabilities",
	"system/capabilities/manifests",
	"system/capabilities/metadata", "system/categories", "system/skills", "system/skills/config"}

// Misplaced lists the canonical folders that are not plain folders. The projector follows no symlink out of the memory
// root, so what others read there would silently be foreign or stale.
func (c *Checkup) Misplaced() (warnings []string) {
	for _, f := range canonicalFolders {
		info, err := os.Lstat(filepath.Join(c.o.Config.Memory, filepath.FromSlash(f)))
		switch {
		case err != nil || info.IsDir():
		case info.Mode()&fs.ModeSymlink != 0:
			warnings = append(warnings,
				"memory/"+f+" is a link, not a folder: agents and other programs may read something else there; remove the link and restart the daemon")
		default:
			warnings = append(warnings, "memory/"+f+" is not a folder: nothing can be written there; move it away and restart the daemon")
		}
	}
	for _, t := range c.o.Config.Targets {
		if info, err := os.Stat(t.Dir); err == nil && !info.IsDir() {
			warnings = append(warnings, "the skill folder of "+t.Name+" is not a folder")
		}
	}
	return warnings
}
