package terminal

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full file system neither hangs a shell nor shows it an error, and work in progress continues.
func TestFullFileSystem(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a small file system")
	}
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no tmpfs can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(small, syscall.MNT_DETACH) })
	dir := filepath.Join(small, "showhow")
	if err := EnsureDir(dir); err != nil {
		t.Fatal(err)
	}
	var terms []*term
	var ttys []string
	for _, shell := range Shells {
		tm := newTerm(t, dir, termOpts{shell: shell})
		tm.run("echo early")
		terms, ttys = append(terms, tm), append(ttys, tm.tty)
	}
	o := observe(t, dir, ttys...)
	for _, tm := range terms {
		tm.run("echo joined")
	}
	o.lines(len(terms))
	fill, err := os.Create(filepath.Join(small, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer fill.Close()
	if _, err := io.Copy(fill, zeros{}); err == nil {
		t.Fatal("the file system is not full")
	}
	for _, tm := range terms {
		for i := range 3 {
			if out := tm.run(fmt.Sprint("echo full-", i)); strings.Contains(out, "space") {
				t.Errorf("%s says %q", tm.shell, out)
			}
		}
	}
	o.lines(4 * len(terms))
	o.control.Pause()
	for _, tm := range terms {
		tm.run("echo paused")
	}
	o.control.Resume() // has no room for its files now
	for _, tm := range terms {
		tm.run("echo no room")
	}
	if err := fill.Truncate(0); err != nil {
		t.Fatal(err)
	}
	for _, tm := range terms {
		until(t, tm.shell+" to be captured again", func() bool {
			tm.run("echo room")
			for _, s := range o.Seen() {
				if s.Origin.PID == tm.pid && s.Command.Line == "echo room" {
					return true
				}
			}
			return false
		})
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
