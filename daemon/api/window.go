package api

import (
	"os"
	"path/filepath"

	"showhow/daemon/api/caller"
)

// WindowProgram is the name of the desktop program, which lies beside this one.
const WindowProgram = "showhow-desktop"

// isWindow reports whether a caller is our own window: the very file beside this program. The window confirms for its
// user: it shows what is asked in a dialog of its own, outside the page, and uses the code only after a yes.
//
// What this cannot prevent: a program of the same user that controls the window from outside, by a debugger, a
// preloaded library or synthetic input; and one that replaces the file where the user may write to it.
// docs/security.md says so.
func (s *Server) isWindow(pid int) bool {
	if s.deps.IsWindow != nil {
		return s.deps.IsWindow(pid)
	}
	self, err := os.Executable()
	return err == nil && caller.Runs(pid, filepath.Join(filepath.Dir(self), WindowProgram))
}
