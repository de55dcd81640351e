package change

import (
	"testing"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
)

// The session of an import is not told as a demonstration.
func TestAnImportIsNoDemonstration(t *testing.T) {
	shown := summaryOf(journal.SessionStarted, "")
	if got := summaryOf(journal.SessionStarted, state.ReasonImport); got == "" || got == shown {
		t.Errorf("%q", got)
	}
}
