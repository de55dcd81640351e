package supply

import (
	"os/exec"
	"strings"
	"testing"
)

// A value stays one word of a command line, whatever is in it and wherever it stands.
func TestAValueIsNoCommand(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, v := range []string{"plain", "two words", `a'b`, `a"b`, "$(echo bad)", "`echo bad`", "; echo bad", "a\\b", "*", "-n", "$HOME",
		"a\nb", "ünï"} {
		s := &Supply{Bindings: Bindings{"x": v}}
		for _, tmpl := range []string{"printf '%s.' {x}", `printf '%s.' "{x}"`, `printf '%s.' '{x}'`} {
			out, err := exec.Command(sh, "-c", s.Command(tmpl)).Output()
			if err != nil || string(out) != v+"." {
				t.Errorf("%s with %q: %q %v", tmpl, v, out, err)
			}
		}
	}
	if fish, err := exec.LookPath("fish"); err == nil {
		for _, v := range []string{"plain", "two words", `a'b`, `a\`, `\'; echo bad`, `a"b`, "$(echo bad)", "(echo bad)", "; echo bad", `a\\b`,
			"*", "$HOME", "~", "{a,b}", "a\nb", "ünï"} {
			s := &Supply{Bindings: Bindings{"x": v}, Fish: true}
			for _, tmpl := range []string{"printf '%s.' {x}", `printf '%s.' "{x}"`, `printf '%s.' '{x}'`, `printf '%s.' 'it\'s'{x}`} {
				out, err := exec.Command(fish, "--no-config", "-c", s.Command(tmpl)).Output()
				if err != nil || strings.TrimPrefix(string(out), "it's") != v+"." {
					t.Errorf("fish: %s with %q: %q %v", tmpl, v, out, err)
				}
			}
		}
	}
	several := &Supply{Bindings: Bindings{"files": "a b.txt\nc.txt"}, several: map[string]bool{"files": true}}
	out, err := exec.Command(sh, "-c", several.Command("printf '%s.' {files}")).Output()
	if err != nil || string(out) != "a b.txt.c.txt." {
		t.Errorf("%q %v", out, err)
	}
	if got := (&Supply{Bindings: Bindings{}}).Command("awk '{print $1}' {file}"); got != "awk '{print $1}' {file}" {
		t.Error(got)
	}
}

// In a text that a line holds, a value is what it is: no quotation marks come into it, nothing in it is run, and it does not end it.
func TestAValueInAHeredoc(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, v := range []string{"two words", `it's "so"`, "$(echo bad)", "`echo bad`", `a\b`, "$HOME", "a\nb", "EO", "<<X"} {
		s := &Supply{Bindings: Bindings{"x": v, "y": "don't"}}
		for _, tmpl := range []string{"cat <<EOF\n- {x}.\nEOF", "cat <<'EOF'\n- {x}.\nEOF", "cat <<EOF\nit's {y}\n- {x}.\nEOF\nprintf %s {y}"} {
			out, err := exec.Command(sh, "-c", s.Command(tmpl)).Output()
			if got, _ := strings.CutPrefix(string(out), "it's don't\n"); err != nil || strings.TrimSuffix(got, "don't") != "- "+v+".\n" {
				t.Errorf("%s with %q: %q %v", tmpl, v, out, err)
			}
		}
	}
	for tmpl, want := range map[string]string{
		"cat <<A <<B\na\nA\n{x}\nB": "$(echo bad); it's\n", "printf %s \"$(cat <<EOF\n{x}\nEOF\n)\"": "$(echo bad); it's",
		"printf '%s' 'a <<EOF'\nprintf %s {x}\n: <<EOF\nEOF": "a <<EOF$(echo bad); it's",
		"printf %s $((1<<2))\nprintf %s {x}":                 "4$(echo bad); it's",
	} {
		line := (&Supply{Bindings: Bindings{"x": "$(echo bad); it's"}}).Command(tmpl)
		if out, err := exec.Command(sh, "-c", line).Output(); err != nil || string(out) != want {
			t.Errorf("%s: %q %v", line, out, err)
		}
	}
	for _, c := range []struct{ tmpl, x, y string }{{"cat <<B <<EOF\nB\n{x}\nEOF", "EOF", ""}, {"cat <<EOF\n{x}\nEOF", "a\nEOF\necho bad", ""},
		{"cat <<EOF\n{x}{y}\nEOF", "EO", "F\necho bad"}, {"cat <<'EOF'\n{x}\nEOF", "EOF", ""}, {"cat <<EOF\n- {x}OF\nEOF", "\nE", ""}} {
		if line := (&Supply{Bindings: Bindings{"x": c.x, "y": c.y}}).Command(c.tmpl); !strings.Contains(line, "{") {
			t.Errorf("it ended the text: %q", line)
		}
	}
}

func TestValuesAreHidden(t *testing.T) {
	s := &Supply{Bindings: Bindings{"order": "A-1042", "note": "Ring twice", "n": "2"}}
	for in, want := range map[string]string{
		"Order A-1042 says ring  twice": "Order {order} says {note}", "2 of 12": "{n} of 12", "nothing": "nothing",
	} {
		if got := s.Hide(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestAnotherChoice(t *testing.T) {
	options := []string{"-- choose --", "New", "Shipped", "Cancelled"}
	for shown, want := range map[string]string{"New": "Shipped", "cancelled": "New", "": "New"} {
		if got := another(options, shown); got != want {
			t.Errorf("%q: %q", shown, got)
		}
	}
	if got := another([]string{"Only"}, "only"); got != "" {
		t.Error(got)
	}
}
