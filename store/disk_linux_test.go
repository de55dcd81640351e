package store

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// smallDisk mounts a separate file system, which only root can.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	must(t, os.Mkdir(dir, 0o700))
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=0700"); err != nil {
		t.Skip("cannot mount a small disk here: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "3m")
	s := open(t, dir)
	var acked int
	var err error
	for acked < 10_000 {
		r := record("s", "t", acked)
		r.Event.WindowTitle = strings.Repeat("x", 1000)
		if err = s.Append(t.Context(), []capture.Record{r}); err != nil {
			break
		}
		acked++
	}
	if fault.CodeOf(err) != fault.StoreFull {
		t.Fatalf("after %d appends: %v, want STORE_FULL", acked, err)
	}
	err = s.Update(t.Context(), func(tx *Tx) error {
		return tx.AddReceipt(journal.Receipt{Kind: journal.CaptureStopped, Summary: strings.Repeat("the disk is full ", 20)})
	})
	if err != nil && fault.CodeOf(err) != fault.StoreFull {
		t.Errorf("Update = %v, want STORE_FULL", err)
	}
	if n, err := s.ObservationCount(t.Context(), "s"); err != nil || n != acked {
		t.Errorf("%d observations can be read, %d were acknowledged (%v)", n, acked, err)
	}
	s.Close()

	must(t, unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=30m")) // somebody makes room
	s = open(t, dir)
	if n, err := s.ObservationCount(t.Context(), "s"); err != nil || n != acked {
		t.Errorf("with room again: %d observations, %d were acknowledged (%v)", n, acked, err)
	}
	must(t, s.Append(t.Context(), []capture.Record{record("s", "t", 0)}))
	verify(t, s)
}

// TestFilesWaitForRoom fills only the disk of the canonical files: the commit succeeds, and the file is written once
// there is room.
func TestFilesWaitForRoom(t *testing.T) {
	t.Parallel()
	memory := smallDisk(t, "64k")
	s, err := Open(t.Context(), Options{Dir: t.TempDir(), Memory: memory})
	must(t, err)
	defer s.Close()
	update(t, s, func(tx *Tx) error {
		return tx.PutFile("large.json", map[string]any{"x": strings.Repeat("x", 200<<10)})
	})
	if err := s.VerifyProjections(t.Context()); err == nil {
		t.Fatal("200 KB fit on a disk of 64 KB")
	}
	if left, _ := filepath.Glob(filepath.Join(memory, ".*")); len(left) > 0 {
		t.Error("a part file was left behind")
	}
	update(t, s, func(tx *Tx) error { return tx.PutFile("small.json", map[string]any{}) }) // not held back by the large one
	if _, err := os.Stat(filepath.Join(memory, "small.json")); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	must(t, unix.Mount("tmpfs", memory, "tmpfs", unix.MS_REMOUNT, "size=1m"))
	await.Until(t, "what follows the commit", func() bool { return s.VerifyProjections(t.Context()) == nil })
	cancel()
	must(t, <-ran)
}

func TestReadOnlyDisk(t *testing.T) {
	dir := smallDisk(t, "10m")
	openFailsReadOnly := func() {
		t.Helper()
		must(t, unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		openFails(t, dir, fault.StoreReadOnly)
		must(t, unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=10m"))
	}
	openFailsReadOnly() // empty
	made(t, dir)
	openFailsReadOnly() // with a database
	open(t, dir)
}

func init() {
	children["expect"] = func() {
		_, err := Open(context.Background(), Options{Dir: os.Getenv("DIR")})
		os.Stdout.WriteString(string(fault.CodeOf(err)))
	}
}

// openAs opens dir as another user and returns the code of the failure.
func openAs(t *testing.T, uid uint32, dir string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	bin := filepath.Join(t.TempDir(), "child") // the test binary may lie where that user cannot go
	b, err := os.ReadFile(os.Args[0])
	must(t, err)
	must(t, os.WriteFile(bin, b, 0o755))
	for p := filepath.Dir(bin); p != "/" && p != os.TempDir(); p = filepath.Dir(p) {
		must(t, os.Chmod(p, 0o755))
	}
	cmd := exec.Command(bin)
	cmd.Dir = "/"
	cmd.Env = []string{childRole + "=expect", "DIR=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	out, err := cmd.Output()
	must(t, err)
	return string(out)
}

func TestOtherUsers(t *testing.T) {
	const nobody = 65534
	root := t.TempDir()
	must(t, os.Chmod(root, 0o755))
	must(t, os.Chmod(filepath.Dir(root), 0o755))
	mine := filepath.Join(root, "mine")
	must(t, os.Mkdir(mine, 0o755))
	if got := openAs(t, nobody, mine); got != string(fault.DataDirForeign) {
		t.Errorf("another user's directory: %q", got)
	}
	locked := filepath.Join(root, "locked")
	must(t, os.Mkdir(locked, 0o500))
	must(t, os.Chown(locked, nobody, nobody))
	if got := openAs(t, nobody, filepath.Join(locked, "data")); got != string(fault.StoreReadOnly) {
		t.Errorf("below a directory without write permission: %q", got)
	}
	if got := openAs(t, nobody, filepath.Join(mine, "data")); got != string(fault.StoreReadOnly) {
		t.Errorf("below another user's directory: %q", got)
	}
	openFails(t, locked, fault.DataDirForeign)
}
