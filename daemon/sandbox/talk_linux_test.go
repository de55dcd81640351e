package sandbox

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A program that is talked to reads what it is told, answers as it comes, sees only what it was lent, and ends with its input.
func TestTalk(t *testing.T) {
	needs(t)
	readable, writable := t.TempDir(), t.TempDir()
	for _, dir := range []string{readable, writable} {
		for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(readable, "note"), []byte("a note\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), Spec{ReadOnly: []string{readable}, Writable: []string{writable}, Timeout: time.Hour, MaxOutput: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	in, tell := io.Pipe()
	heard, out := io.Pipe()
	ended := make(chan Result, 1)
	go func() {
		r, err := b.Exec(t.Context(), Command{Args: []string{"sh", "-c", `while read -r line; do eval "$line" 2>&1 || echo refused; done`},
			Stdin: in, Stdout: out})
		if err != nil {
			t.Error(err)
		}
		out.Close()
		ended <- r
	}()
	answers := bufio.NewScanner(heard)
	say := func(line string) string {
		if _, err := io.WriteString(tell, line+"\n"); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() {
			t.Fatalf("no answer to %s", line)
		}
		return answers.Text()
	}
	for line, want := range map[string]string{
		"cat " + readable + "/note":                                         "a note",
		"echo changed > " + writable + "/mine && echo done":                 "done",
		"(echo x > " + readable + "/note) 2>/dev/null || echo no":           "no",
		"test -e " + filepath.Dir(os.TempDir()) + "/work || echo not there": "not there",
		"printf '%100s\\n' x | tr ' ' y | head -c 5; echo":                  "yyyyy",
	} {
		if got := say(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for range 20 { // more than MaxOutput in all
		if got := say("echo " + strings.Repeat("z", 100)); len(got) != 100 {
			t.Fatalf("%q", got)
		}
	}
	tell.Close()
	if r := <-ended; r.ExitCode != 0 || r.Killed != "" || len(r.Stdout) != 0 {
		t.Errorf("%+v", r)
	}
	if got, err := os.ReadFile(filepath.Join(writable, "mine")); err != nil || string(got) != "changed\n" {
		t.Errorf("%q %v", got, err)
	}
}
