package skill

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"showhow/internal/fault"
	"showhow/internal/plain"
)

func sample(t *testing.T) Bundle {
	t.Helper()
	md := Render(Frontmatter{Name: "export-order", Description: "Export an order as CSV. Use when someone asks for an order's data.",
		Metadata: map[string]string{"showhow-revision": "1"}}, "# Export an order\n")
	b, err := New("export-order", []File{
		{Path: "tests/checks.json", Data: []byte("[]")},
		{Path: Entry, Data: md},
		{Path: "scripts/go.sh", Mode: 0o700, Data: []byte("#!/bin/sh\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRenderParseRoundTrip(t *testing.T) {
	in := Frontmatter{Name: "a-b", Description: `Says "what": and when, for Zoë's 'orders' #1.`, License: "Apache-2.0",
		Compatibility: "Needs a shell.",
		Metadata:      map[string]string{"k": "true", "n": "1: 2"}, AllowedTools: []string{"Bash(git add *)", "Read"}}
	doc, err := ParseMarkdown(Render(in, "# Hi\n"))
	if err != nil {
		t.Fatal(err)
	}
	in.Description = plain.ASCII(in.Description)
	if d := cmp.Diff(Document{Frontmatter: in, Body: "\n# Hi\n"}, doc); d != "" {
		t.Error(d)
	}
}

func TestParseDialects(t *testing.T) {
	for name, md := range map[string]string{
		"crlf and mark": "\xef\xbb\xbf---\r\nname: x\r\ndescription: d\r\ntriggers: [one, two]\r\n---\r\nbody\r\n",
		"snake lists":   "---\nname: x\ndescription: d\ntriggers:\n  - one\n  - two\n---\nbody\n",
		"one string":    "---\nname: x\ndescription: |\n  d\ntriggers: one, two\nmetadata: {\"a\":{\"b\":1}}\n---\nbody\n",
	} {
		doc, err := ParseMarkdown([]byte(md))
		if err != nil || doc.Name != "x" || doc.Description != "d" || doc.Body != "body\n" || !cmp.Equal(doc.Triggers, []string{"one", "two"}) {
			t.Errorf("%s: %v %+v", name, err, doc)
		}
	}
	doc, err := ParseMarkdown(
		[]byte(
			"---\nname: x\ndescription: d\nmetadata:\n  openclaw:\n    requires:\n      bins: [jq, curl]\nallowed_tools: Read, Bash(a, b)\n---\n"))
	if err != nil || doc.Metadata["openclaw.requires.bins"] != "jq, curl" || len(doc.AllowedTools) != 2 {
		t.Errorf("%v %+v", err, doc)
	}
	for _, bad := range []string{"", "# no head", "---\nname: [\n---\n", "---\nname: x\n", "---\nname: \xff\n---\n"} {
		if _, err := ParseMarkdown([]byte(bad)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestValidate(t *testing.T) {
	if f := Validate(sample(t), true); len(f) != 0 {
		t.Errorf("our own: %+v", f)
	}
	head := func(lines ...string) []byte {
		return []byte("---\n" + strings.Join(lines, "\n") + "\n---\n# x\n")
	}
	good := "description: Exports an order as CSV when asked."
	for rule, md := range map[string][]byte{
		"SKILL-NAME":          head("name: Export_Order", good),
		"SKILL-FOLDER":        head("name: other", good),
		"SKILL-DESCRIPTION":   head("name: export-order", "description: say <what> and when to use it"),
		"SKILL-KEYS":          head("name: export-order", good, "triggers: [a]"),
		"SKILL-METADATA":      head("name: export-order", good, `metadata: {"a": "b"}`),
		"SKILL-ASCII":         head("name: export-order", "description: Exports an order für everybody."),
		"SKILL-FRONTMATTER":   []byte("# x"),
		"SKILL-COMPATIBILITY": head("name: export-order", good, "compatibility: "+strings.Repeat("x", 501)),
		"SKILL-LENGTH":        append(head("name: export-order", good), strings.Repeat("x\n", 500)...),
		"SKILL-BODY":          []byte("---\nname: export-order\n" + good + "\n---\n"),
	} {
		b, err := New("export-order", []File{{Path: Entry, Data: md}})
		if err != nil {
			t.Fatal(err)
		}
		if !has(Validate(b, true), rule) {
			t.Errorf("%s was not found", rule)
		}
	}
	b, _ := New("export-order", []File{{Path: Entry, Data: head("name: export-order", good)}, {Path: "run.sh"},
		{Path: "tests/a.json", Data: []byte("{")}})
	if f := Validate(b, true); !has(f, "SKILL-PATH") || !has(f, "SKILL-JSON") {
		t.Errorf("%+v", f)
	}
}

func has(fs []Finding, rule string) bool {
	for _, f := range fs {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

func TestPaths(t *testing.T) {
	for _, bad := range []string{"", ".", "..", "../x", "/x", "a/../b", "a//b", `a\b`, "C:x", "a\x00b", "a\nb", strings.Repeat("x", 241)} {
		if SafePath(bad) {
			t.Errorf("%q is taken for safe", bad)
		}
		if _, err := New("n", []File{{Path: Entry}, {Path: bad}}); err == nil {
			t.Errorf("%q is taken into a bundle", bad)
		}
	}
	for p, want := range map[string]bool{"SKILL.md": true, "references/a/b.md": true, "support-packs.json": true, "policy.json": false,
		".git/config": false, "referencesX": false, "skill.md": false} {
		if Allowed(p) != want {
			t.Errorf("Allowed(%q) = %v", p, !want)
		}
	}
	if _, err := New("n", []File{{Path: Entry}, {Path: "tests/A"}, {Path: "tests/a"}}); err == nil {
		t.Error("two paths that are one on macOS were accepted")
	}
}

func TestHash(t *testing.T) {
	b := sample(t)
	const golden = "957e181ec943cfff52e01b5e6fc391fe" // first half: the format is a promise
	if got := b.Hash(); got[:32] != golden {
		t.Errorf("the hash format changed: %s", got)
	}
	same := Bundle{Name: "elsewhere", Files: append([]File{{Path: HostManaged, Data: []byte("{}")}}, b.Files...)}
	if same.Hash() != b.Hash() {
		t.Error("name, order or policy.json have a part in the hash")
	}
	for name, change := range map[string]func(*Bundle){
		"a byte":   func(b *Bundle) { b.Files[0].Data = append([]byte("x"), b.Files[0].Data...) },
		"a mode":   func(b *Bundle) { b.Files[0].Mode = 0o755 },
		"a path":   func(b *Bundle) { b.Files[0].Path = "SKILL.MD" },
		"one file": func(b *Bundle) { b.Files = b.Files[1:] },
	} {
		c := Bundle{Files: append([]File(nil), b.Files...)}
		change(&c)
		if c.Hash() == b.Hash() {
			t.Errorf("%s changes nothing", name)
		}
	}
}

func TestHashSeparatesItsFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.String().Draw(t, "x"), rapid.String().Draw(t, "y")
		one := Bundle{Files: []File{{Path: "a", Data: []byte(x)}, {Path: "b", Data: []byte(y)}}}
		two := Bundle{Files: []File{{Path: "a", Data: []byte(x + y)}, {Path: "b"}}}
		if y != "" && one.Hash() == two.Hash() {
			t.Fatal("bytes can move between files unseen")
		}
	})
}

func TestWriteRead(t *testing.T) {
	b := sample(t)
	dir := filepath.Join(t.TempDir(), "skills", b.Name)
	if err := b.WriteTo(dir, false); err != nil {
		t.Fatal(err)
	}
	got, err := ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b, got); d != "" || got.Hash() != b.Hash() {
		t.Error(d)
	}
	if err := b.WriteTo(dir, false); fault.CodeOf(err) != fault.SlugTaken {
		t.Errorf("a foreign folder was overwritten: %v", err)
	}
	next := Bundle{Name: b.Name, Files: []File{{Path: Entry, Mode: 0o644, Data: []byte("new")}}}
	if err := next.WriteTo(dir, true); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadDir(dir); err != nil || got.Hash() != next.Hash() {
		t.Errorf("replaced folder: %v", err)
	}
	left, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, err := ReadDir(dir + "-2"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a folder that is not there reads as %v", err)
	}
}

func TestWriteFailureLeavesTheOldFolder(t *testing.T) {
	b := sample(t)
	dir := filepath.Join(t.TempDir(), b.Name)
	if err := b.WriteTo(dir, false); err != nil {
		t.Fatal(err)
	}
	bad := Bundle{Name: b.Name, Files: []File{{Path: Entry}, {Path: "../escape"}}}
	if err := bad.WriteTo(dir, true); err == nil {
		t.Fatal("an unsafe path was written")
	}
	got, err := ReadDir(dir)
	if err != nil || got.Hash() != b.Hash() {
		t.Errorf("the old folder is gone or changed: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".showhow-*")); len(left) != 0 {
		t.Errorf("staging left behind: %v", left)
	}
}

func TestLinksAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	b := sample(t)
	base := t.TempDir()
	dir := filepath.Join(base, b.Name)
	if err := b.WriteTo(dir, false); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDir(link); err == nil {
		t.Error("a linked folder was read")
	}
	if err := b.WriteTo(link, true); err == nil {
		t.Error("a link was replaced")
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "references")); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDir(dir); err == nil {
		t.Error("a link inside was read")
	}
}

func TestReadDirLimits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "big")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, Entry))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(MaxFileBytes + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := ReadDir(dir); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a huge file was read: %v", err)
	}
}

func FuzzParseMarkdown(f *testing.F) {
	f.Add([]byte("---\nname: x\ndescription: d\nmetadata:\n  a: b\n---\nbody"))
	f.Add([]byte("---\n---\n"))
	f.Add([]byte("---\nmetadata: [1, {a: b}]\nallowed-tools: \"a(b, c) d\"\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := ParseMarkdown(data)
		if err != nil {
			return
		}
		b, err := New("x", []File{{Path: Entry, Data: data}})
		if err != nil {
			t.Fatal(err)
		}
		Validate(b, true)
		again, err := ParseMarkdown(Render(doc.Frontmatter, doc.Body))
		if err == nil && again.Description != plain.ASCII(strings.TrimSpace(doc.Description)) {
			t.Errorf("%q became %q", doc.Description, again.Description)
		}
	})
}

// What a desktop leaves changes nothing; another file of its name does.
func TestDroppings(t *testing.T) {
	b := sample(t)
	dir := filepath.Join(t.TempDir(), b.Name)
	if err := b.WriteTo(dir, false); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ left, planted string }{
		".DS_Store":         {"\x00\x00\x00\x01Bud1\x00\x00", "import os"},
		"scripts/Thumbs.db": {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "Send it to me."},
		"desktop.ini":       {"", "[x]\nSend it to me."},
	} {
		for text, same := range map[string]bool{c.left: true, c.planted: false} {
			if text == "" {
				continue
			}
			p := filepath.Join(dir, name)
			if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := ReadDir(dir)
			if (err == nil && got.Hash() == b.Hash()) != (same || runtime.GOOS == "windows" && name == "desktop.ini") {
				t.Errorf("%s with %q: %v", name, text, err)
			}
			if err := os.Remove(p); err != nil {
				t.Fatal(err)
			}
		}
	}
}
