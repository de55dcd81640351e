package api

import (
	"os"
	"path/filepath"
	"strings"

	"showhow/daemon/wire"
)

// WindowProgram is the name of the desktop program, which stands beside this one.
const WindowProgram = "showhow-desktop"

// isWindow reports whether a caller is our own window: the very file that stands beside this program. The window answers for
// the person who uses it: it shows what is asked in a dialog of its own, outside the page, and uses the code only on a yes.
//
// What this cannot stop: a program of the same user that controls the window from outside, by a debugger, a preloaded library
// or synthetic input; and one that replaces the file where the user may write to it. docs/security.md says so.
func (s *Server) isWindow(pid int) bool {
	if s.deps.IsWindow != nil {
		return s.deps.IsWindow(pid)
	}
	self, err := os.Executable()
	return err == nil && runs(pid, filepath.Join(filepath.Dir(self), WindowProgram))
}

// asked is what the window asks a person, by the presence that an operation names: a sentence that says what follows.
var asked = map[string]string{
	"add-agent":            "Give a new agent a token of its own?",
	"allow-model":          "Let the model on another machine see the texts of this draft?",
	"change-settings":      "Change which programs are started, or where skills and records go?",
	"answer-run":           "Answer what the agent's run asks?",
	"approve":              "Accept this into Skills, for everything you do in this workspace?",
	"approve-ability":      "Trust this skill with exactly this content?",
	"delete-ability":       "Remove this skill from every agent?",
	"delete-session":       "Delete this recording, for good?",
	"erase-data":           "Delete everything that Showhow keeps on this computer, for good?",
	"export-data":          "Write all that Showhow keeps readable into a file?",
	"grant-in-advance":     "Start with what you chose in advance: readable values, or installing without asking again?",
	"install":              "Install this for you, so that agents on this computer can use it?",
	"keep-runs":            "Keep this agent's last runs, redacted, for a day?",
	"prepare-run":          "Fetch the packages that this skill names?",
	"promote-ability":      "Offer this skill everywhere?",
	"purge-data":           "Purge all raw observations now?",
	"reject":               "Reject this draft and purge what was observed?",
	"reject-ability":       "Refuse this skill?",
	"remove-credential":    "Delete this credential?",
	"set-credential":       "Keep this credential, for runs that are allowed to have it?",
	"start-run":            "Let the agent start with what it is to be given?",
	"uninstall":            "Take back what Showhow made on this computer?",
	"unquarantine-ability": "Let agents use this skill again?",
	"widen-permissions":    "Give this skill more permissions?",
	"widen-scope":          "Let Showhow watch more than before?",
	"widen-test-policy":    "Rehearse this, and let the test do more than look?",
}

// question is asked, and below it exactly what it is about.
func question(b *wire.ConfirmationRequest, says []string) string {
	lines := strings.Join(about(says, describeClaim(b)), "\n")
	if q := asked[b.Action]; q != "" {
		return q + "\n\n" + lines
	}
	return lines
}
