package kit

import (
	"os"
	"path/filepath"
	"testing"

	"showhow/internal/fault"
)

// A file that is there stays as it is, and both ways to write a new one say so by the same code.
func TestNewFileReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "letter.txt")
	if err := WriteNew(name, 0o600, []byte("first")); err != nil {
		t.Fatal(err)
	}
	again := WriteNew(name, 0o600, []byte("second"))
	_, opened := NewFile(name, 0o600)
	_, nowhere := NewFile(filepath.Join(dir, "none", "letter.txt"), 0o600)
	for _, c := range []struct {
		err  error
		code fault.Code
		says string
	}{
		{again, fault.OutputExists, name + " exists already"},
		{opened, fault.OutputExists, name + " exists already"},
		{nowhere, fault.Usage, filepath.Join(dir, "none", "letter.txt") + " cannot be created"},
	} {
		if f := fault.From(c.err); f == nil || f.Code != c.code || f.Message != c.says || f.Hint == "" {
			t.Errorf("%+v, want %s: %s", f, c.code, c.says)
		}
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != "first" {
		t.Errorf("%q %v", b, err)
	}
}
