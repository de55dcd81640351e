package oci

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"showhow/daemon/skill"
)

func TestMerge(t *testing.T) {
	file := func(text string) *skill.File { return &skill.File{Path: "a.md", Mode: 0o644, Data: []byte(text)} }
	run := func(text string) *skill.File { f := file(text); f.Mode = 0o755; return f }
	for name, x := range map[string]struct {
		base, ours, theirs, want *skill.File
		ok                       bool
	}{
		"nobody changed it":         {file("a\nb\n"), file("a\nb\n"), file("a\nb\n"), file("a\nb\n"), true},
		"changed here":              {file("a\nb\n"), file("a\nx\n"), file("a\nb\n"), file("a\nx\n"), true},
		"changed there":             {file("a\nb\n"), file("a\nb\n"), file("y\nb\n"), file("y\nb\n"), true},
		"both, apart":               {file("a\nb\nc\n"), file("x\nb\nc\n"), file("a\nb\nz\n"), file("x\nb\nz\n"), true},
		"both, the same":            {file("a\nb\n"), file("a\nx\n"), file("a\nx\n"), file("a\nx\n"), true},
		"both, differently":         {file("a\nb\nc\n"), file("a\nx\nc\n"), file("a\ny\nc\n"), nil, false},
		"both, side by side":        {file("a\nb\n"), file("x\nb\n"), file("a\ny\n"), nil, false},
		"added here":                {nil, file("a\n"), nil, file("a\n"), true},
		"added there":               {nil, nil, file("a\n"), file("a\n"), true},
		"added twice":               {nil, file("a\n"), file("b\n"), nil, false},
		"removed there":             {file("a\n"), file("a\n"), nil, nil, true},
		"removed there, changed":    {file("a\n"), file("b\n"), nil, nil, false},
		"removed here":              {file("a\n"), nil, file("a\n"), nil, true},
		"no text, both":             {file("a\x00"), file("b\x00"), file("c\x00"), nil, false},
		"a mode here, a line there": {file("a\nb\n"), run("a\nb\n"), file("a\nc\n"), run("a\nc\n"), true},
		"without a last newline":    {file("a\nb"), file("a\nb"), file("a\nb\nc"), file("a\nb\nc"), true},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := mergeFile(x.base, x.ours, x.theirs)
			if ok != x.ok || ok && !same(got, x.want) {
				t.Errorf("%v %+v", ok, got)
			}
		})
	}
}

// A side that changed nothing gives way, two that changed the same agree, and the order of the sides does not matter.
func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) []string {
			return rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n"}), 0, 12).Draw(t, label)
		}
		base, ours, theirs := text("base"), text("ours"), text("theirs")
		is := func(what string, got []string, ok bool, want []string) {
			if !ok || strings.Join(got, "") != strings.Join(want, "") {
				t.Fatalf("%s: %q %v, want %q", what, got, ok, want)
			}
		}
		got, ok := mergeLines(base, base, theirs)
		is("ours unchanged", got, ok, theirs)
		got, ok = mergeLines(base, ours, base)
		is("theirs unchanged", got, ok, ours)
		got, ok = mergeLines(base, ours, ours)
		is("both the same", got, ok, ours)
		x, okx := mergeLines(base, ours, theirs)
		y, oky := mergeLines(base, theirs, ours)
		if okx != oky || strings.Join(x, "") != strings.Join(y, "") {
			t.Fatalf("%q %v, other way round %q %v", x, okx, y, oky)
		}
	})
}
