package word

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

// TestCollection reads, edits and saves every document in the folder that SHOWHOW_WORD_COLLECTION names, and writes the
// edited copies into SHOWHOW_WORD_COPIES, for another program to judge.
func TestCollection(t *testing.T) {
	dir, copies := os.Getenv("SHOWHOW_WORD_COLLECTION"), os.Getenv("SHOWHOW_WORD_COPIES")
	if dir == "" {
		t.Skip("SHOWHOW_WORD_COLLECTION names no folder")
	}
	count := map[string]int{}
	var slowest time.Duration
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.EqualFold(filepath.Ext(name), ".docx") {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		began := time.Now()
		what, out := tried(t, name, data)
		slowest = max(slowest, time.Since(began))
		count[what]++
		if strings.HasPrefix(what, "not") {
			t.Logf("%s: %s", name, what)
		}
		if out != nil && copies != "" {
			rel, _ := filepath.Rel(dir, name)
			return os.WriteFile(filepath.Join(copies, strings.ReplaceAll(rel, "/", "_")), out, 0o600)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v, the slowest took %v", count, slowest)
}

// tried edits one document, and says how it went.
func tried(t *testing.T, name string, data []byte) (string, []byte) {
	t.Helper()
	d, err := Open(data, us)
	if err != nil {
		var f *fault.Error
		if !errors.As(err, &f) || f.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
		return "not read: " + fault.From(err).Message, nil
	}
	d.Read()
	before := entries(t, data)
	same, err := d.Save()
	if err != nil {
		return "not copied: " + fault.From(err).Message, nil
	}
	for part, x := range entries(t, same) {
		if !bytes.Equal(x, before[part]) {
			t.Errorf("%s: %s is another one without an edit", name, part)
		}
	}
	old := body(d)
	at, word := -1, ""
	for i, text := range old {
		for _, w := range words(text) {
			if len(w) >= 4 && letter([]rune(w)[0]) && at < 0 && !d.stories[0].paras[i].fallback {
				at, word = i, w
			}
		}
	}
	if at < 0 {
		return "no text to edit", nil
	}
	p := d.stories[0].paras[at]
	if _, err := d.Replace(Where{Text: word, At: p.at(), Number: 1}, "Quokka"); err != nil {
		return "edit refused: " + fault.From(err).Message, nil
	}
	list, err := d.Changed()
	if err != nil || !slices.Equal(list, []string{d.pkg.Main}) {
		t.Errorf("%s: changed are %v %v", name, list, err)
	}
	out, err := d.Save()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return "not saved", nil
	}
	for part, x := range entries(t, out) {
		if part != d.pkg.Main && !bytes.Equal(x, before[part]) {
			t.Errorf("%s: %s is another one", name, part)
		}
	}
	original, rejected, accepted := open(t, data), open(t, out), open(t, out)
	if body(accepted)[at] != strings.Replace(old[at], word, "Quokka", 1) {
		t.Errorf("%s: it says %q after %q", name, body(accepted)[at], old[at])
	}
	if _, err := rejected.Decide(Choice{Author: us.Name}, false); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if got, was := canonical(t, rejected), canonical(t, original); got != was {
		t.Errorf("%s: rejected: %s", name, apart(got, was))
	}
	if _, err := accepted.Decide(Choice{}, true); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if n := len(accepted.revisions()); n > 0 && !strings.Contains(accepted.revisions()[0].Kind, "merged") {
		t.Errorf("%s: %d changes are left, %+v", name, n, accepted.revisions()[0].WordChange)
	}
	return "edited", out
}
