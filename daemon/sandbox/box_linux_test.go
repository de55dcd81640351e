package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

func open(t *testing.T, spec Spec) *Box {
	t.Helper()
	needs(t)
	b, err := Open(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func run(t *testing.T, b *Box, line string) Result {
	t.Helper()
	res, err := b.Run(t.Context(), line, "", nil)
	if err != nil {
		t.Fatalf("%s: %v (%s)", line, err, res.Stderr)
	}
	return res
}

// says runs a line that must end well and returns what it printed.
func says(t *testing.T, b *Box, line string) string {
	t.Helper()
	res := run(t, b, line)
	if res.ExitCode != 0 || res.Killed != "" {
		t.Fatalf("%s: exit %d %s\n%s%s", line, res.ExitCode, res.Killed, res.Stdout, res.Stderr)
	}
	return strings.TrimSpace(string(res.Stdout))
}

func TestALineRuns(t *testing.T) {
	b := open(t, Spec{})
	if err := os.WriteFile(filepath.Join(b.Dir(), "orders.csv"), []byte("a,1\nb,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := says(t, b, "pwd; sort -r orders.csv | tee sorted.csv; id -un; echo $HOME"); got != "/home/work\nb,2\na,1\nwork\n/home/work" {
		t.Errorf("%q", got)
	}
	if res := run(t, b, "echo out; echo err >&2; exit 3"); res.ExitCode != 3 || string(res.Stdout) != "out\n" ||
		string(res.Stderr) != "err\n" {
		t.Errorf("%+v", res)
	}
	if res := run(t, b, "no-such-program-here"); res.ExitCode != 127 {
		t.Errorf("%+v", res)
	}
	if res := run(t, b, "kill -TERM $$"); res.ExitCode != 143 {
		t.Errorf("%+v", res)
	}
	if res := run(t, b, "echo 'unfinished"); res.ExitCode == 0 {
		t.Errorf("%+v", res)
	}
	raw, err := os.ReadFile(filepath.Join(b.Dir(), "sorted.csv"))
	if err != nil || string(raw) != "b,2\na,1\n" {
		t.Errorf("%q %v", raw, err)
	}
	if len(b.Limits()) < 5 {
		t.Error(b.Limits())
	}
	if x := b.Bounds(); x[0].Of != "time" || x[0].Amount <= 0 || x[0].How != "ended" || x[5].Of != "network" || x[5].How != "closed" {
		t.Errorf("%+v", x)
	}
}

// The folder and the exported variables stay from line to line, and nothing else.
func TestStateBetweenLines(t *testing.T) {
	b := open(t, Spec{})
	says(t, b, "mkdir -p a/b && cd a/b; export STAY='one two\nthree'; LOCAL=x; alias gone=ls; f() { :; }; set -e; umask 000")
	if got := says(t, b,
		`pwd; echo "$STAY"; echo "[$LOCAL]"; `+
			`type f >/dev/null 2>&1 || echo no f; umask`); got != "/home/work/a/b\none two\nthree\n[]\nno f\n0077" {
		t.Errorf("%q", got)
	}
	says(t, b, "unset STAY; cd ..; echo x > /tmp/kept")
	if got := says(t, b, `pwd; echo "[$STAY]"; cat /tmp/kept; cd - >/dev/null; pwd`); got != "/home/work/a\n[]\nx\n/home/work/a/b" {
		t.Errorf("%q", got)
	}
	res, err := b.Run(t.Context(), "pwd; echo $GIVEN", ".", map[string]string{"GIVEN": "v", "BAD NAME": "x"})
	if err != nil || string(res.Stdout) != "/home/work\nv\n" {
		t.Errorf("%+v %v", res, err)
	}
	for _, dir := range []string{"../x", "/etc", "a/../../x", "/home/work/../other"} {
		if _, err := b.Run(t.Context(), "pwd", dir, nil); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestOtherShells(t *testing.T) {
	for _, shell := range []string{"sh", "zsh", "fish"} {
		if _, err := findShell(shell); err != nil {
			continue
		}
		b := open(t, Spec{Shell: shell})
		says(t, b, "mkdir d; cd d; export V=1")
		if got := says(t, b, "pwd; echo $V"); got != "/home/work/d\n1" {
			t.Errorf("%s: %q", shell, got)
		}
		if res := run(t, b, "exit 4"); res.ExitCode != 4 {
			t.Errorf("%s: %+v", shell, res)
		}
	}
}

func TestClosingRemovesEverything(t *testing.T) {
	needs(t)
	dir := filepath.Join(t.TempDir(), "scratch")
	b, err := Open(t.Context(), Spec{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	says(t, b, "mkdir -p x/y && touch x/y/z .hidden && chmod 000 x/y x && ln -s /etc/passwd link && mkfifo pipe")
	side := b.side
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, side} {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there", d)
		}
	}
	if _, err := b.Run(t.Context(), "true", "", nil); err == nil {
		t.Error("a closed box runs lines")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestAForeignFolderIsNoScratch(t *testing.T) {
	home, _ := os.UserHomeDir()
	for _, dir := range []string{"/", "/usr", home, "relative", filepath.Dir(home)} {
		if b, err := Open(t.Context(), Spec{Dir: dir}); err == nil {
			t.Errorf("%q was taken", dir)
			_ = b
		}
	}
}

func TestProbeSaysWhatIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := Probe()
	if fault.CodeOf(err) != fault.SandboxUnavailable || fault.From(err).Hint == "" {
		t.Error(err)
	}
	if _, err := Open(t.Context(), Spec{}); fault.CodeOf(err) != fault.SandboxUnavailable {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, line, killed string
		spec               Spec
	}{
		{"time", "sleep 600", KilledTimeout, Spec{Timeout: time.Second}},
		{"time, with what it left behind", "sleep 600 & setsid sleep 600 & disown; trap '' TERM HUP; sleep 600", KilledTimeout,
			Spec{Timeout: time.Second}},
		{"output", "yes", KilledOutput, Spec{MaxOutput: 1 << 20}},
		{"errors", "yes >&2", KilledOutput, Spec{MaxOutput: 1 << 20}},
		{"disk", "while :; do head -c 1000000 /dev/zero >> big.$RANDOM; done", KilledDisk, Spec{MaxBytes: 20 << 20}},
		{"disk elsewhere", "while :; do head -c 1000000 /dev/zero >> /tmp/big.$RANDOM; done", KilledDisk, Spec{MaxBytes: 20 << 20}},
		{"memory", "x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 600", KilledMemory, Spec{MaxMemory: 64 << 20}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, c.spec)
			res := run(t, b, c.line)
			if res.Killed != c.killed || res.ExitCode != -1 {
				t.Errorf("%q exit %d after %s", res.Killed, res.ExitCode, res.Took)
			}
			if int64(len(res.Stdout)) > b.spec.MaxOutput || int64(len(res.Stderr)) > b.spec.MaxOutput {
				t.Error("too much was kept")
			}
			nothingRuns(t, b)
		})
	}
}

// One file cannot be larger than the disk limit, however fast it is written.
func TestOneFileIsBounded(t *testing.T) {
	b := open(t, Spec{MaxBytes: 8 << 20})
	run(t, b, "head -c 100000000 /dev/zero > big")
	info, err := os.Stat(filepath.Join(b.Dir(), "big"))
	if err != nil || info.Size() > 8<<20 {
		t.Error(info.Size(), err)
	}
}

func TestAForkBombIsBounded(t *testing.T) {
	b := open(t, Spec{MaxProcs: 60, Timeout: 4 * time.Second})
	res := run(t, b, `f() { f | f & }; f 2>/dev/null; for i in $(seq 200); do sleep 100 & done 2>err; ls /proc | grep -c '^[0-9]'; sleep 100`)
	if res.Killed == "" {
		t.Errorf("%+v", res)
	}
	nothingRuns(t, b)
	says(t, b, "echo the box still works")
}

// A box that is given up while it is being made ends, too: what bubblewrap has started by then waits for it otherwise.
func TestCancellingWhileItIsMade(t *testing.T) {
	t.Parallel()
	b := open(t, Spec{})
	for i := range 60 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%30)*500*time.Microsecond)
		began := time.Now()
		_, _ = b.Exec(ctx, Command{Args: []string{"true"}})
		cancel()
		if took := time.Since(began); took > 8*time.Second { // what is left over holds the pipes for ten
			t.Fatalf("given up after %v, it took %v", time.Duration(i%30)*500*time.Microsecond, took)
		}
	}
}

func TestCancelling(t *testing.T) {
	b := open(t, Spec{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	res, err := b.Run(ctx, "sleep 600 & sleep 600", "", nil)
	if err != nil || res.Killed != KilledCancelled {
		t.Errorf("%+v %v", res, err)
	}
	nothingRuns(t, b)
}

// What a line leaves in the background ends with it.
func TestNothingOutlivesALine(t *testing.T) {
	b := open(t, Spec{})
	res := run(t, b, "setsid nohup sleep 600 >/dev/null 2>&1 & (sleep 600 &) ; echo started")
	if string(res.Stdout) != "started\n" || res.ExitCode != 0 {
		t.Errorf("%+v", res)
	}
	nothingRuns(t, b)
}

// nothingRuns looks whether a process of this box is left on the machine: all of them have the box's folder as root.
func nothingRuns(t *testing.T, b *Box) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		raw, err := os.ReadFile(p + "/mountinfo")
		if err == nil && strings.Contains(string(raw), filepath.Base(b.side)) {
			cmd, _ := os.ReadFile(p + "/cmdline")
			stat, _ := os.ReadFile(p + "/stat")
			if !strings.Contains(string(stat), ") Z ") {
				t.Errorf("%s still runs: %s", p, strings.ReplaceAll(string(cmd), "\x00", " "))
			}
		}
	}
}

func TestUntilAProgramRuns(t *testing.T) {
	b := open(t, Spec{})
	for _, c := range []struct {
		line, program string
		ran           bool
		code          int
	}{
		{"export SIDE=kept; sleep 600", "sleep", true, 0},
		{"sleep 600 & cd /tmp", "sleep", true, 0},
		{"printf '#!/bin/sh\\nwhile :; do sleep 1; done\\n' > serve.sh; chmod +x serve.sh; ./serve.sh &", "serve.sh", true, 0},
		{"sleep 600 & exit 4", "sleep", true, 4},
		{"sleep 0", "sleep", false, 0},
		{"sleep 0 & true", "sleep", false, 0},
		{"no-such-program-here", "no-such-program-here", false, 127},
		{"sleep 0.2; echo bash", "bash", false, 0},
	} {
		began := time.Now()
		res, err := b.RunUntil(t.Context(), c.line, ".", nil, []string{c.program})
		if err != nil || res.Killed != "" || len(res.Running) == 1 != c.ran || res.ExitCode != c.code {
			t.Errorf("%s: %+v, %v (%s)", c.line, res, err, res.Stderr)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: took %s", c.line, took)
		}
	}
	if got := says(t, b, "ls -d serve.sh"); got != "serve.sh" {
		t.Errorf("the box is as it was left: %q", got)
	}
}
