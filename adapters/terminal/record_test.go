package terminal

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/capture/cmdline"
)

const whole = "   12  echo one\n" +
	"\x02run\x1fbash\x1f42\x1f7\x1f0\x1f12\x1f1\x1f1795259532835898\x1f1795259533,136717\x1f3\x1f\x1f/from\x1f/to\n"

func parse(chunks ...string) ([]record, int64) {
	var p parser
	var out []record
	for _, c := range chunks {
		p.feed([]byte(c), func(r record) { out = append(out, r) })
	}
	return out, p.take()
}

func TestParse(t *testing.T) {
	got, _ := parse(whole)
	if len(got) != 1 {
		t.Fatalf("%d records", len(got))
	}
	r := got[0]
	if r.line != "echo one" || r.pid != 42 || r.seq != 7 || r.exit != 3 || r.cwdFrom != "/from" || r.cwdTo != "/to" ||
		!r.start.Equal(time.UnixMicro(1795259532835898)) || !r.end.Equal(time.UnixMicro(1795259533136717)) {
		t.Errorf("%+v", r)
	}
	for i := range whole { // in two parts, wherever they are cut
		if got, _ := parse(whole[:i], whole[i:]); len(got) != 1 || got[0] != r {
			t.Errorf("cut at %d: %+v", i, got)
		}
	}
	_, header, _ := strings.Cut(whole, "\n")
	zsh := "\x017\x1fecho a\nb\n" + strings.Replace(strings.Replace(header, "bash", "zsh", 1), "\x1f12\x1f1\x1f", "\x1f\x1f0\x1f", 1)
	for name, c := range map[string]struct {
		in      string
		want    []string
		dropped int64
	}{
		"noise":               {"bash: printf: write error\n" + whole, []string{"echo one"}, 0},
		"refused text":        {strings.Replace(header, "f12", "f11", 1) + whole, []string{"", "echo one"}, 0},
		"refused text, noise": {"bash: history: write error\n" + header + whole, []string{"echo one"}, 1},
		"refused record":      {"   11  echo lost\n    and lost\n" + whole, []string{"echo one"}, 0},
		"a line like a start": {strings.Replace(whole, "echo one", "echo \x02run", 1), []string{"echo \x02run"}, 0},
		"lines with numbers": {strings.Replace(whole, "echo one", "cat <<.\n   13  x\n   12  y\n.", 1),
			[]string{"cat <<.\n   13  x\n   12  y\n."}, 0},
		"several entries": {strings.Replace(strings.Replace(whole, "\x1f12\x1f1\x1f", "\x1f12\x1f2\x1f", 1), "one\n", "one\n   13* done\n", 1),
			[]string{"echo one\ndone"}, 0},
		"zsh":              {zsh, []string{"echo a\nb"}, 0},
		"zsh after noise":  {"noise\n" + zsh, []string{"echo a\nb"}, 0},
		"zsh without text": {zsh[strings.Index(zsh, "\x02"):], nil, 1},
		"bad numbers":      {"\x02run\x1fbash\x1fx\x1f7\n\x02hold\x1fzsh\x1f1\x1f0\x1f0\x1fr\x1f/\n\x02run\x1fsh\x1f1\n", nil, 0},
		"endless":          {strings.Repeat("x", 5*maxHeader) + "\n\x02mark\x1fzsh\x1f1\x1f/\n" + whole, []string{"", "echo one"}, 0},
	} {
		got, dropped := parse(c.in)
		var lines []string
		for _, r := range got {
			lines = append(lines, r.line)
		}
		if !slices.Equal(lines, c.want) || dropped != c.dropped {
			t.Errorf("%s: %q, %d dropped", name, lines, dropped)
		}
	}
	long, _ := parse(strings.Replace(whole, "one", strings.Repeat("a\n", 5000), 1))
	if len(long) != 1 || !long[0].tooLong || long[0].line != "" {
		t.Errorf("an overlong line: %d records", len(long))
	}
}

func TestEpoch(t *testing.T) {
	for in, want := range map[string]int64{"1795259532.835898": 1795259532835898, "1795259532,8": 1795259532800000,
		"1795259532.8358981234": 1795259532835898, "1795259532835898": 1795259532835898} {
		if got, ok := epoch(in); !ok || got.UnixMicro() != want {
			t.Errorf("epoch(%q) = %v, %v", in, got.UnixMicro(), ok)
		}
	}
	for _, in := range []string{"", ".", "x", "-5.2", "0", "12", "1.x", "99999999999999999999", "9999999999999999.5"} {
		if got, ok := epoch(in); ok {
			t.Errorf("epoch(%q) = %v", in, got)
		}
	}
}

func TestOwn(t *testing.T) {
	for line, want := range map[string]bool{
		"showhow status": true, "/usr/bin/showhow learn stop": true, "sudo showhow x": true, "echo a; showhow pause": true,
		"FOO=1 showhow x": true, "env -i showhow": true, "if true; then showhow x; fi": true, `showhow "unclosed`: true,
		"echo showhow": false, "ls ~/showhow": false, "cd showhow": false, "grep -r showhow .": false, "echo a": false,
	} {
		if got := cmdline.OwnCommand(line); got != want {
			t.Errorf("OwnCommand(%q) is %v", line, got)
		}
	}
}

// FuzzParse: whatever comes through the pipe, in whatever pieces, the parser holds no more than one record and yields
// the same records; a complete record after it is still understood.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole), uint16(20))
	f.Add([]byte(whole[:len(whole)-3]+whole), uint16(90))
	f.Add([]byte("\x017\x1fecho a\nb\n\x02run\x1fzsh\x1f1\x1f7\x1f0\x1f\x1f0\x1f1795259532.8\x1f1795259533.1\x1f0\x1f\x1f/\x1f/\n"), uint16(9))
	f.Add([]byte("\x02mark\x1fzsh\x1f9\x1f/x\n\x02hold\x1fbash\x1f9\x1f1\x1f0\x1fshell_private\x1f/\n"), uint16(5))
	f.Add(bytes.Repeat([]byte("x"), 3*maxHeader), uint16(11))
	f.Fuzz(func(t *testing.T, in []byte, cut uint16) {
		var p, q parser
		var one, two []record
		p.feed(in, func(r record) { one = append(one, r) })
		at := int(cut) % (len(in) + 1)
		q.feed(in[:at], func(r record) { two = append(two, r) })
		q.feed(in[at:], func(r record) { two = append(two, r) })
		if len(in) < maxHeader && fmt.Sprint(one) != fmt.Sprint(two) {
			t.Errorf("cut at %d: %v and %v", at, one, two)
		}
		if len(p.buf) > maxHeader || len(p.text) > maxText {
			t.Errorf("holds %d and %d bytes", len(p.buf), len(p.text))
		}
		for _, r := range one {
			if len(r.line) > MaxLine || r.pid <= 0 || r.end.Before(r.start) {
				t.Errorf("%+v", r)
			}
		}
		got := []record{}
		p.feed([]byte("\n\x02mark\x1fzsh\x1f1\x1f/\n"+whole), func(r record) { got = append(got, r) })
		if len(got) == 0 || got[len(got)-1].seq != 7 {
			t.Error("a whole record was not understood any more")
		}
	})
}
