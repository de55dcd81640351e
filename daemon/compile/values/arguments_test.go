package values

import (
	"slices"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
)

// A short argument is recognised in its place and nowhere else.
func TestBrief(t *testing.T) {
	c := &align.Column{}
	s := &Study{Bindings: []Binding{{brief: []briefWord{{"-n", "5", page.Ref("p1")}}}}}
	for line, want := range map[string]string{
		"shuf -n 5 station-5.csv":  "shuf -n " + page.Ref("p1") + " station-5.csv",
		"head -n=5 a":              "head -n=" + page.Ref("p1") + " a",
		"head -n 5 a; tail -n 5 a": "head -n 5 a; tail -n 5 a",
		"cut -f 5 a":               "cut -f 5 a",
	} {
		if got := s.WithBrief(c, line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// A branch is not a file, and a flag names only the argument that it takes.
func TestWhatArgumentsAre(t *testing.T) {
	for line, want := range map[string]string{
		"git switch -c feature/shop-142": "branch", "git merge feature/shop-142": "branch", "git add docs/notes": "",
		"git checkout -- src/main": "",
	} {
		l := shell.Read(&capture.Command{Line: line})
		got := ""
		for _, w := range l.Words {
			if l.Branch(w) {
				got = "branch"
			}
		}
		if got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
	for line, want := range map[string]string{"mkdir -p done/abel": "folder", "ssh -p 2222": "port", "sort -n totals.txt": "txt file",
		"unzip -o a.zip": "zip file"} {
		l := shell.Read(&capture.Command{Line: line})
		if got := argumentLabel(l.Words[0]); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for _, w := range shell.Read(&capture.Command{Line: "curl -s -o /dev/null localhost/x 2>/dev/stderr >/dev/fd/3"}).Words {
		if shell.IsDevice(w.Text) && (w.Varies() || w.FileLike()) {
			t.Errorf("%q is taken for a file of the work", w.Text)
		}
		if w.Redirect != "" {
			t.Errorf("%q is taken for what the command makes", w.Text)
		}
	}
	if got := shell.ScriptsOf("./report.sh --year=2026 | tools/sum && make"); !slices.Equal(got, []string{"./report.sh", "tools/sum"}) {
		t.Errorf("scripts: %q", got)
	}
}
