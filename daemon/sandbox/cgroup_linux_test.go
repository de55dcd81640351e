package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A tree of files stands for the kernel's: which group is chosen depends on what is mounted, delegated and writable.
func TestWhichControlGroupIsOurs(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for dir, control := range map[string]string{"fs": "", "fs/user.slice": "memory pids", "fs/user.slice/app.slice": "cpu memory pids",
		"fs/user.slice/app.slice/x.scope": "", "fs/user.slice/thin.slice": "cpu"} {
		write(dir+"/cgroup.subtree_control", control+"\n")
		write(dir+"/cgroup.procs", "")
	}
	mounts := write("mounts", "24 30 0:22 / /proc rw - proc proc rw\n35 30 0:30 / "+filepath.Join(root,
		"fs")+" rw,nosuid - cgroup2 cgroup2 rw\n")
	for self, want := range map[string]string{
		"0::/user.slice/app.slice/x.scope\n": "fs/user.slice/app.slice", "4:memory:/a\n0::/user.slice/thin.slice\n": "fs/user.slice",
		"0::/\n": "", "4:memory:/a\n": "",
	} {
		got, err := delegated(write("self", self), mounts)
		if want == "" {
			if !errors.Is(err, errNotDelegated) {
				t.Errorf("%q: %s %v", self, got, err)
			}
			continue
		}
		if got != filepath.Join(root, want) {
			t.Errorf("%q: %s %v", self, got, err)
		}
	}
	if _, err := delegated(write("self", "0::/\n"), write("none", "24 30 0:22 / /proc rw - proc proc rw\n")); !errors.Is(err, errNoCgroup2) {
		t.Error(err)
	}

	g := openGroup(filepath.Join(root, "fs/user.slice"), 64<<20, 40)
	if g == nil {
		t.Fatal("no group")
	}
	for file, want := range map[string]string{"memory.max": "67108864", "pids.max": "42", "memory.oom.group": "1"} {
		if b, err := os.ReadFile(filepath.Join(g.dir.Name(), file)); err != nil || string(b) != want {
			t.Errorf("%s: %s %v", file, b, err)
		}
	}
	if g.outOfMemory() {
		t.Error("nothing was ended")
	}
	if err := os.WriteFile(filepath.Join(g.dir.Name(), "memory.events"), []byte("oom 1\noom_kill 3\n"), 0o644); err != nil ||
		!g.outOfMemory() {
		t.Error("something was ended")
	}
	g.dir.Close()
}

// Where the kernel delegates, it bounds the box itself, and nothing of the group is left.
func TestTheControlGroupBounds(t *testing.T) {
	if ok, why := LimitsBy(); !ok {
		t.Skip(why)
	}
	b := open(t, Spec{MaxMemory: 64 << 20, MaxProcs: 60, Timeout: 20 * time.Second})
	if !strings.Contains(strings.Join(b.Limits(), "\n"), "control group") {
		t.Errorf("%v", b.Limits())
	}
	res, err := b.Run(t.Context(), "x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 600", ".", nil)
	if err != nil || res.Killed != KilledMemory {
		t.Errorf("%+v %v", res, err)
	}
	left, _ := filepath.Glob(filepath.Join(b.groups, "showhow-box-*"))
	if len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
