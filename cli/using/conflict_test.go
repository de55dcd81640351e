package using

import (
	"strings"
	"testing"

	"showhow/internal/fault"
)

// Who is told of a conflict is told where it is, whatever the file's name holds.
func TestAConflictNamesItsFiles(t *testing.T) {
	f := fault.New(fault.UpdateConflict, "changed here and there").WithHint("--theirs").WithDetail("files", []any{"SKILL.md", "a\x1b[1m.md"})
	got := fault.From(inFiles(f)).Hint
	if !strings.HasPrefix(got, "in SKILL.md, a") || !strings.HasSuffix(got, ". --theirs") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	if other := fault.New(fault.NotFound, "no"); inFiles(other) != error(other) || inFiles(nil) != nil {
		t.Error("another error was changed")
	}
}
