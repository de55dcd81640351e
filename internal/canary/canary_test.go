package canary

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var planted = Canary{"password", `Grün & "Gold" 4711!`}

func gz(b string) string {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Write([]byte(b))
	w.Close()
	return buf.String()
}

func zipped(name, content string) string {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	f, _ := w.Create(name)
	f.Write([]byte(content))
	w.Close()
	return buf.String()
}

func TestFindsEachEncoding(t *testing.T) {
	s := planted.Text
	for name, c := range map[string]struct{ content, encoding string }{
		"plain":            {"x" + s + "y", "utf-8"},
		"utf16":            {utf16le("x" + s + "y"), "utf-16le"},
		"utf16 odd":        {"z" + utf16le(s), "utf-16le"},
		"json":             {`{"a":"` + jsonNoHTML(s) + `"}`, "json"},
		"json html":        {`{"a":"Grün \u0026 \"Gold\" 4711!"}`, "json"},
		"json ascii":       {`{"a":"Gr\u00FCn & \"Gold\" 4711!"}`, "json"},
		"json all":         {strings.ToUpper(jsonAll(s)[:0]) + jsonAll(s), "json"},
		"query":            {"?q=" + url.QueryEscape(s), "url"},
		"query lower":      {"?q=" + strings.ReplaceAll(url.QueryEscape(s), "%C3%BC", "%c3%bc"), "url"},
		"path":             {"/a/" + url.PathEscape(s), "url"},
		"url all":          {strings.ToLower(urlAll(s)), "url"},
		"hex":              {hex.EncodeToString([]byte("ab" + s)), "hex"},
		"hex upper":        {strings.ToUpper(hex.EncodeToString([]byte("ab" + s))), "hex"},
		"base64 0":         {base64.StdEncoding.EncodeToString([]byte(s + "tail")), "base64"},
		"base64 1":         {base64.StdEncoding.EncodeToString([]byte("x" + s + "tail")), "base64"},
		"base64 2":         {base64.StdEncoding.EncodeToString([]byte("xy" + s + "t")), "base64"},
		"base64 url":       {base64.RawURLEncoding.EncodeToString([]byte("xyz" + s)), "base64"},
		"gzip":             {gz("x" + s), "utf-8"},
		"gzip in the rest": {"head" + gz(s) + "tail", "utf-8"},
		"torn gzip":        {gz(s + strings.Repeat("some more text", 10))[:60], "utf-8"},
		"zip":              {zipped("a.txt", s), "utf-8"},
		"gzip in zip":      {zipped("a.gz", gz(s)), "utf-8"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "f"), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			hits, err := Scan(dir, planted)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				if h.Encoding == c.encoding && h.Label == "password" && strings.HasPrefix(h.Path, "f") {
					return
				}
			}
			t.Errorf("not found as %s: %v", c.encoding, hits)
		})
	}
}

func TestEveryAlignmentOfBase64(t *testing.T) {
	for before := range 7 {
		for after := range 4 {
			text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xff", before) + planted.Text + strings.Repeat("\xff", after)))
			if hits, _ := Bytes("m", []byte(text), planted); len(hits) == 0 {
				t.Errorf("%d bytes before and %d after: not found", before, after)
			}
		}
	}
}

func TestFindsNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "canary-4711-name.txt")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere/canary-4711-link", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symlinks here")
	}
	hits, err := Scan(dir, Canary{"n", "canary-4711-name"}, Canary{"l", "canary-4711-link"})
	if err != nil || len(hits) != 2 {
		t.Errorf("%v, %v", hits, err)
	}
}

func TestQuietWhereNothingIs(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		content := strings.Repeat(fmt.Sprintf("harmless %d Grun Gold 4711 \x1f\x8b\x08 PK\x05\x06", i), 100)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hits, err := Scan(dir, planted)
	if err != nil || len(hits) != 0 {
		t.Errorf("%v, %v", hits, err)
	}
	if _, err := Scan(dir, Canary{"short", "abc"}); err == nil {
		t.Error("a canary of three bytes was accepted")
	}
}

func TestLargeFileInPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const piece = 1 << 16
	must(t, f.Truncate(4*piece)) // sparse
	for _, at := range []int64{0, piece - 5, 2*piece + 100, 4*piece - int64(len(planted.Text))} {
		_, err := f.WriteAt([]byte(planted.Text), at)
		must(t, err)
		s, err := newScanner([]Canary{planted})
		must(t, err)
		s.whole = piece
		must(t, s.file(path, "large"))
		if len(s.hits) != 1 || s.hits[0].Offset != at {
			t.Errorf("planted at %d: %v", at, s.hits)
		}
		_, err = f.WriteAt(make([]byte, len(planted.Text)), at)
		must(t, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func BenchmarkScan(b *testing.B) {
	data := bytes.Repeat([]byte("some text of a log line, 4096 bytes of it or more; 0123456789abcdef\n"), 16<<10)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if hits, _ := Bytes("m", data, planted); len(hits) > 0 {
			b.Fatal("found")
		}
	}
}
