package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every workflow has its trace, and no trace names a path of the machine where it was recorded.
func TestTraces(t *testing.T) {
	place := regexp.MustCompile(`/(tmp|root|home|Users|var)/|127\.0\.0\.1:(?:[0-9]+)`)
	for _, f := range All() {
		if f.Held {
			continue
		}
		path := filepath.Join(TraceDir, f.Name+".json")
		tr, err := ReadTrace(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if tr.Workflow != f.Name || tr.Goal != f.Goal || len(tr.Demonstrations) != 2 {
			t.Errorf("%s: %q, %q, %d demonstrations", f.Name, tr.Workflow, tr.Goal, len(tr.Demonstrations))
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range place.FindAllString(string(b), -1) {
			if !strings.HasPrefix(m, "127.0.0.1:181") {
				t.Errorf("%s names %s", f.Name, m)
			}
		}
	}
}
