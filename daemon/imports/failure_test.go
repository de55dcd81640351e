package imports

import (
	"strings"
	"testing"

	"showhow/daemon/skill/archive"
)

// TestFailure: whatever stopped an import is said in sentences that say what to do, never by its code.
func TestFailure(t *testing.T) {
	codes := []string{"INTERNAL", restarted}
	for r := range archive.Reasons() {
		codes = append(codes, string(r))
	}
	for c := range failures {
		codes = append(codes, c)
	}
	for _, state := range []State{ScanFailed, StageFailed, InstallFailed} {
		for _, code := range codes {
			s := failure(Record{StageState: state, LastErrorCode: code})
			if strings.Count(s, ". ") < 1 && !strings.Contains(s, "; ") || !strings.HasSuffix(s, ".") || s[0] < 'A' || s[0] > 'Z' ||
				strings.Contains(code, "_") && strings.Contains(s, code) {
				t.Errorf("%s %s: %q", state, code, s)
			}
		}
		if s := failure(Record{StageState: state}); s != "" {
			t.Errorf("%s without an error: %q", state, s)
		}
	}
}
