package sandbox

import (
	_ "embed"
	"flag"
	"os"
	"strings"
	"testing"
)

//go:embed testdata/seatbelt.golden
var golden string // embedded: the tests also run as an account that cannot read the source

var update = flag.Bool("update", false, "write the golden profile anew")

func TestSeatbeltProfile(t *testing.T) {
	got, err := seatbelt{
		write:   []string{"/Users/someone/state/runs/1/work", "/private/tmp/showhow-box-1/tmp"},
		read:    []string{"/Applications/Showhow.app/Contents/MacOS/showhow", "/Users/someone/orders (old) \"x\" \\ y"},
		sockets: []string{"/Users/someone/state/runs/1/s"},
		port:    50123,
	}.profile()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/seatbelt.golden", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != golden {
		t.Errorf("the profile differs from testdata/seatbelt.golden (-update, then read the difference):\n%s", got)
	}
}

// rules reads a profile as its reader does: lists in parentheses, strings with escapes. It fails when they do not close.
func rules(t *testing.T, text string) (out []string) {
	t.Helper()
	depth, from, quote := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote && c == '\\':
			i++
		case c == '"':
			quote = !quote
		case quote:
		case c == ';':
			t.Fatalf("a comment begins at %q", text[i:])
		case c == '(':
			if depth++; depth == 1 {
				from = i
			}
		case c == ')':
			if depth--; depth == 0 {
				out = append(out, text[from:i+1])
			}
		}
		if depth < 0 {
			t.Fatalf("a list ends that never began: %q", text[:i])
		}
	}
	if depth != 0 || quote {
		t.Fatal("the profile does not end")
	}
	return out
}

func TestSeatbeltHostilePaths(t *testing.T) {
	plain, err := seatbelt{write: []string{"/w"}, read: []string{"/r"}, sockets: []string{"/s"}, port: 1}.profile()
	if err != nil {
		t.Fatal(err)
	}
	want := rules(t, plain)
	for _, name := range []string{`")(allow default)("`, `\")(allow default)(\"`, `a\`, `a\\`, `"`, `(`, `)`, `;x`, `#"(.*)"`, "ünï ☃", "'",
		`$(param "x")`} {
		for _, s := range []seatbelt{{write: []string{"/" + name}, read: []string{"/r"}, sockets: []string{"/s"}, port: 1},
			{write: []string{"/w"}, read: []string{"/x/" + name}, sockets: []string{"/s"}, port: 1},
			{write: []string{"/w"}, read: []string{"/r"}, sockets: []string{"/" + name}, port: 1}} {
			text, err := s.profile()
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			got := rules(t, text)
			if len(got) != len(want) {
				t.Errorf("%q makes %d rules of %d:\n%s", name, len(got), len(want), text)
			}
			for _, r := range got {
				if strings.HasPrefix(r, "(allow default") {
					t.Errorf("%q opened everything", name)
				}
			}
		}
	}
	for _, p := range []string{"", "/", "relative", "/a/../b", "/a/", "//a", "/a\nb", "/a\x00b", "/a\x7f", "/\xff"} {
		for _, s := range []seatbelt{{write: []string{p}}, {read: []string{p}}, {sockets: []string{p}}} {
			if text, err := s.profile(); err == nil || text != "" {
				t.Errorf("%q was put into a profile", p)
			}
		}
	}
}

func TestSeatbeltDeniesByDefault(t *testing.T) {
	closed, err := seatbelt{write: []string{"/w"}}.profile()
	if err != nil {
		t.Fatal(err)
	}
	r := rules(t, closed)
	if r[0] != "(version 1)" || r[1] != "(deny default)" {
		t.Errorf("begins with %q", r[:2])
	}
	for _, never := range []string{"network", "file-link", "mach-priv", "mach-register", "appleevent", "no-sandbox", "ipc-posix", "iokit",
		"system-socket", `"/Users`, `"/private/tmp"`, `(subpath "/Library")`, `(subpath "/private")`, `"/dev/tty`, "kern.proc"} {
		if strings.Contains(closed, never) {
			t.Errorf("a closed box's profile speaks of %s", never)
		}
	}
	writes := 0
	for _, rule := range r {
		if strings.HasPrefix(rule, "(allow file-write*") {
			writes++
			if rule != "(allow file-write*\n\t(subpath \"/w\"))" {
				t.Errorf("writes elsewhere: %s", rule)
			}
		}
	}
	if writes != 1 {
		t.Errorf("%d rules let it write", writes)
	}
}
