// Package check judges a checkpoint's checks against the state after a step: the page, a command's output, the run's
// files. What cannot be observed is Unknowable, never taken for true. It does not wait; the performer does. The
// packages of daemon/rehearse above it may import it. Its tests use written-down states and no browser.
package check

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
)

// Judge judges checks with the values of a run.
type Judge struct{ supply.Bindings }

// State judges a check against a state of the page.
func (b Judge) State(c workflow.Check, st capture.State, sc *Scene) Ruling {
	switch c.Kind {
	case "url":
		return Gone(c, b.AtAddress(c.Expect, st.URL) || sc.Opened && b.AtAddress(c.Expect, page.Unrouted(st.URL)))
	case "heading":
		return Gone(c, b.Pattern(c.Expect).Any(st.Headings, supply.Pattern.Is))
	case "dialog":
		p := b.Pattern(cmp.Or(c.Expect, c.Name))
		return Gone(c, p.Any(st.Dialogs, supply.Pattern.Is) || p.Any(sc.Out.Dialogs, supply.Pattern.In))
	case "alert":
		seen := st.Alerts
		if !c.Gone {
			seen = slices.Concat(seen, sc.Alerts, sc.Out.Dialogs)
		}
		return Gone(c, b.Pattern(strings.TrimRight(c.Expect, ".")).Any(seen, supply.Pattern.In))
	case "field_value":
		return b.Field(c, st)
	case "detail":
		return b.Detail(c, st, sc)
	case "row_count":
		return b.Rows(c, st, sc)
	}
	return Unknowable
}

// Alike reports whether two loads of a page show the same of what a check is about. An address, a dialog and a message come of an
// action, not of a load: of them nothing is known.
func (b Judge) Alike(c workflow.Check, x, y capture.State) bool {
	switch c.Kind {
	case "heading":
		return slices.Equal(x.Headings, y.Headings)
	case "field_value":
		return slices.Equal(b.values(c.Name, x), b.values(c.Name, y))
	case "detail":
		was, _ := b.Beside(c.Name, x)
		now, _ := b.Beside(c.Name, y)
		return slices.Equal(was, now)
	case "row_count":
		was, had := b.Table(c, x)
		now, has := b.Table(c, y)
		return had == has && was.Rows == now.Rows && was.Total == now.Total
	}
	return true
}

// values are those of the fields with a label.
func (b Judge) values(label string, st capture.State) (out []string) {
	p := b.Pattern(label)
	for _, f := range st.Fields {
		if p.Is(f.Label) {
			out = append(out, ValueOf(f))
		}
	}
	return out
}

// AtAddress compares the path and those query values that the check names.
func (b Judge) AtAddress(expect, address string) bool {
	wantPath, wantQuery, _ := strings.Cut(expect, "?")
	wantPath, gotPath := page.PathOf(wantPath), page.PathOf(address)
	as := func(s string) string { return s }
	same := func(want, got string) bool {
		return supply.CompilePattern(want, b.Bindings, as).Is(got) || supply.CompilePattern(want, b.Bindings, url.PathEscape).Is(got)
	}
	open, err := url.PathUnescape(gotPath)
	if err != nil {
		open = gotPath
	}
	trim := func(s string) string { return cmp.Or(strings.TrimRight(s, "/"), "/") }
	if !segments(trim(wantPath), trim(open), same) && !segments(trim(wantPath), trim(gotPath), same) {
		return false
	}
	_, raw, _ := strings.Cut(address, "?")
	raw, _, _ = strings.Cut(raw, "#")
	got, _ := url.ParseQuery(raw)
	for _, kv := range strings.Split(wantQuery, "&") {
		k, v, _ := strings.Cut(kv, "=")
		if k == "" {
			continue
		}
		if open, err := url.QueryUnescape(v); err == nil {
			v = open
		}
		p := b.Pattern(v)
		if !slices.ContainsFunc(got[k], p.Is) {
			return false
		}
	}
	return true
}

// segments compares two paths segment by segment: {*} is one segment, never several. A value may contain a slash.
func segments(want, got string, same func(want, got string) bool) bool {
	if !strings.Contains(want, supply.Unknown) {
		return same(want, got)
	}
	w, g := strings.Split(want, "/"), strings.Split(got, "/")
	return len(w) == len(g) && slices.EqualFunc(w, g, same)
}

// Field judges a field's value. If a page has several with one label, one of them must match.
func (b Judge) Field(c workflow.Check, st capture.State) Ruling {
	value, shown := b.Pattern(c.Expect), b.values(c.Name, st)
	if slices.ContainsFunc(shown, func(v string) bool { return value.Is(v) != c.Gone }) {
		return Holds
	}
	if len(shown) == 0 && c.Gone {
		return Holds
	}
	return Fails
}

// Detail judges what the page shows beside a label, or whether that changed.
func (b Judge) Detail(c workflow.Check, st capture.State, sc *Scene) Ruling {
	now, there := b.Beside(c.Name, st)
	if c.Expect != "" {
		return Gone(c, slices.ContainsFunc(now, func(text string) bool { return b.tells(c.Expect, text) }))
	}
	was, known := b.Beside(c.Name, sc.Before)
	if !known || page.PathOf(sc.Before.URL) != page.PathOf(st.URL) {
		return Unknowable
	}
	return Gone(c, there && !slices.Equal(was, now))
}

// Beside returns what the page shows beside a label.
func (b Judge) Beside(label string, st capture.State) (out []string, there bool) {
	p := b.Pattern(label)
	for _, f := range st.Details {
		if p.Is(f.Label) {
			out, there = append(out, ValueOf(f)), true
		}
	}
	return out, there
}

// tells reports whether a text equals what is expected; a page may group a number's digits and add decimals.
func (b Judge) tells(expect, text string) bool {
	if b.Pattern(expect).Is(text) {
		return true
	}
	want, is := plainNumber(b.Text(expect)), plainNumber(text)
	return want != "" && want == is
}

var numberForm = lazyre.New(`^-?\d{1,3}(?:[,' \x{a0}\x{202f}]\d{3})*(?:\.\d+)?$|^-?\d+(?:\.\d+)?$`)

// plainNumber is a number without digit grouping, "" for anything else.
func plainNumber(s string) string {
	s = strings.TrimSpace(s)
	if !numberForm.MatchString(s) {
		return ""
	}
	s = strings.NewReplacer(",", "", "'", "", " ", "", "\u00a0", "", "\u202f", "").Replace(s)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// ValueOf is a field's value, "" when it is not known.
func ValueOf(f capture.Field) string {
	switch {
	case f.Raw != nil:
		return f.Raw.Text
	case f.Value != nil:
		return f.Value.Text
	}
	return ""
}

// Rows judges a table's number of rows, or how it changed since the action.
func (b Judge) Rows(c workflow.Check, st capture.State, sc *Scene) Ruling {
	now, ok := b.Table(c, st)
	if c.Delta == 0 {
		least := 1
		if s := c.Extra["min"]; s != "" && s != "1" {
			least = atoi(s)
		}
		return Gone(c, ok && now.Rows >= least)
	}
	was, known := b.Baseline(c, st, sc)
	if !known {
		return Unknowable
	}
	if !ok { // an empty list is often none at all
		now = capture.Table{}
	}
	want := c.Delta * sc.Each(c)
	if now.Rows-was.Rows == want || now.Total > 0 && was.Total > 0 && now.Total-was.Total == want {
		return Gone(c, true)
	}
	return Gone(c, false)
}

func atoi(s string) (n int) {
	for _, r := range s {
		if r < '0' || r > '9' {
			return 0
		}
		n = n*10 + int(r-'0')
	}
	return n
}

// Table finds the table that a check names: by its columns, or else by its name, or else the only one.
func (b Judge) Table(c workflow.Check, st capture.State) (capture.Table, bool) {
	var columns []string
	if s := c.Extra["columns"]; s != "" {
		columns = strings.Split(s, "; ")
	}
	name := b.Pattern(c.Name)
	if len(columns) > 1 {
		for _, t := range st.Tables {
			if slices.EqualFunc(t.Columns, columns, func(got, want string) bool { return b.Pattern(want).Is(got) }) {
				return t, true
			}
		}
	}
	for _, t := range st.Tables {
		if c.Name != "" && t.Name != "" && name.Is(t.Name) && (len(columns) == 0 || len(t.Columns) == len(columns)) {
			return t, true
		}
	}
	if len(st.Tables) == 1 && len(columns) < 2 && (c.Name == "" || name.Any(st.Headings, supply.Pattern.Is)) {
		return st.Tables[0], true
	}
	return capture.Table{}, false
}

// Baseline is the table before the action: on the same page, or when the page was last seen.
func (b Judge) Baseline(c workflow.Check, st capture.State, sc *Scene) (capture.Table, bool) {
	here := page.PathOf(st.URL)
	if t, ok := b.Table(c, sc.Before); ok {
		return t, true
	}
	if page.PathOf(sc.Before.URL) == here {
		return capture.Table{}, true // the page had no such list: it was empty
	}
	for _, s := range slices.Backward(sc.Past) {
		if page.PathOf(s.URL) != here {
			continue
		}
		t, _ := b.Table(c, s)
		return t, true
	}
	return capture.Table{}, false
}

// Other judges a check that is not about a state of the page.
func (b Judge) Other(c workflow.Check, sc *Scene) Ruling {
	switch c.Kind {
	case "input":
		return Gone(c, b.Pattern(c.Expect).Is(b.Bindings[c.Name]))
	case "text":
		return Gone(c, b.Pattern(c.Expect).In(sc.Text))
	case "file":
		return Gone(c, b.file(c, sc))
	case "exit_code":
		if sc.Command == nil {
			return Unknowable
		}
		return Gone(c, sc.Command.Killed == "" && sc.Command.ExitCode == atoi(cmp.Or(b.Text(c.Expect), "0")))
	case "output":
		if sc.Called != nil && c.Expect == "no error" {
			return Gone(c, !sc.Called.Failed)
		}
		if sc.Called != nil {
			return Gone(c, b.Pattern(c.Expect).In(sc.Called.Text))
		}
		if sc.Command == nil {
			return Unknowable
		}
		return Gone(c, b.Pattern(c.Expect).In(string(sc.Command.Output)))
	case "process": // outside of the box nothing can be seen, and nothing in it outlives its line
		if sc.Command == nil || c.Gone {
			return Unknowable
		}
		return Gone(c, slices.Contains(sc.Command.Running, b.Text(c.Name)))
	}
	return Unknowable
}

// file looks for a file that the run made.
func (b Judge) file(c workflow.Check, sc *Scene) bool {
	name := b.Pattern(path.Base(c.Expect))
	root, below := sc.Room.Dir(), ""
	switch c.Extra["where"] {
	case "downloads":
		root = sc.Room.Downloads()
	case "cwd":
		root = sc.Dir
		below = path.Dir(c.Expect)
	case "folder":
		below = c.Extra["folder"]
	}
	flat := c.Extra["where"] == "downloads" || c.Extra["where"] == "cwd"
	found := false
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || found {
			return fs.SkipDir
		}
		if !name.Is(d.Name()) || p == root || !within(p, root, b.Text(below), flat) {
			return nil
		}
		if d.IsDir() || c.Gone {
			found = c.Gone || c.MinBytes == 0
			return nil
		}
		info, err := d.Info()
		found = err == nil && info.Mode().IsRegular() && info.Size() >= c.MinBytes && (c.MinBytes == 0 || !blank(p)) && b.typed(c, p)
		return nil
	})
	return found
}

// within reports whether p is in the intended folder: directly in root, or in a folder whose path ends with below.
func within(p, root, below string, flat bool) bool {
	dir, err := filepath.Rel(root, filepath.Dir(p))
	if err != nil {
		return false
	}
	dir, below = filepath.ToSlash(dir), path.Clean(strings.TrimPrefix(strings.TrimPrefix(below, "~"), "/"))
	if flat {
		return dir == below || path.IsAbs(below)
	}
	return below == "." || dir == below || strings.HasSuffix(dir, "/"+below)
}

// heads are the first bytes of each kind of file, so that an error page saved under a file's name does not count.
var heads = map[string][]string{
	".pdf": {"%PDF"}, ".png": {"\x89PNG"}, ".jpg": {"\xff\xd8"}, ".jpeg": {"\xff\xd8"}, ".gif": {"GIF8"}, ".gz": {"\x1f\x8b"}, ".tgz": {
		"\x1f\x8b"},
	".zip": {"PK"}, ".xlsx": {"PK"}, ".docx": {"PK"}, ".pptx": {"PK"}, ".ods": {"PK"}, ".odt": {"PK"},
}

// blank reports whether a small file holds only white space, which is as good as empty.
func blank(p string) bool {
	f, err := os.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	return err != nil && len(bytes.TrimSpace(head[:n])) == 0
}

// typed reports whether a file's first bytes fit its extension, as far as they tell.
func (b Judge) typed(c workflow.Check, p string) bool {
	ext := strings.ToLower(filepath.Ext(p))
	if want := strings.ToLower(c.Extra["ext"]); want != "" && !strings.Contains(want, "{") && ext != want {
		return false
	}
	f, err := os.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := f.Read(head)
	head = head[:n]
	if want := heads[ext]; want != nil {
		return slices.ContainsFunc(want, func(h string) bool { return bytes.HasPrefix(head, []byte(h)) })
	}
	switch ext {
	case ".html", ".htm", ".xhtml", ".svg", ".xml", "":
		return true
	}
	return !strings.HasPrefix(http.DetectContentType(head), "text/html")
}
