//go:build unix

package imports_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"showhow/daemon/imports"
	"showhow/internal/fault"
)

// A pipe without a writer must not keep the daemon waiting.
func TestImportFromAPipe(t *testing.T) {
	k := newKit(t)
	pipe := filepath.Join(t.TempDir(), "skill.zip")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := k.source(imports.SourceRequest{Kind: "archive", Path: pipe})
	code(t, err, fault.SkillImportSourceFailed)
}
