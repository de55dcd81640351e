package imports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/imports"
)

// graph is the transition graph as the mission prints it (DOC3 0C.20). A retry's kind stands behind its hop.
const graph = `
upload_pending -> uploaded
uploaded -> scanning
scanning -> scan_complete | scan_failed | expired
scan_complete -> staging | discarded
staging -> ready_for_review | stage_failed | discarded
ready_for_review -> install_queued | approved | rejected | discarded
install_queued -> installed_private | install_failed
scan_failed -> scanning scan
stage_failed -> staging stage
install_failed -> install_queued install
`

// Every pair of states, with and without each kind of retry: legal is what the graph says, and nothing else.
func TestR11_2_SkillImportTransitionGraph(t *testing.T) {
	legal := map[string]bool{}
	for line := range strings.Lines(graph) {
		from, tos, ok := strings.Cut(strings.TrimSpace(line), " -> ")
		if !ok {
			continue
		}
		for to := range strings.SplitSeq(tos, " | ") {
			name, retry, _ := strings.Cut(to, " ")
			legal[fmt.Sprint(from, name, retry)] = true
		}
	}
	seen := 0
	for _, from := range imports.States {
		for _, to := range imports.States {
			for _, retry := range []string{"", "scan", "stage", "install"} {
				want := legal[fmt.Sprint(string(from), string(to), retry)]
				if got := imports.CanGo(from, to, retry); got != want {
					t.Errorf("%s -> %s (retry %q): %v, want %v", from, to, retry, got, want)
				}
				if want {
					seen++
				}
			}
		}
	}
	if seen != len(legal) || len(imports.States) != 15 {
		t.Errorf("%d legal hops among %d states", seen, len(imports.States))
	}
	for _, s := range imports.States {
		terminal := slices.Contains([]imports.State{"installed_private", "approved", "rejected", "discarded", "expired"}, s)
		if imports.Terminal(s) != terminal {
			t.Errorf("%s terminal: %v", s, imports.Terminal(s))
		}
	}
}
