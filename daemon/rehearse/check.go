package rehearse

import (
	"bytes"
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
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
)

// scene is everything that the checks after one step can look at.
type scene struct {
	before  capture.State
	past    []capture.State // states before that, oldest first
	alerts  []string        // messages seen since the act, also those that are gone again
	text    string          // visible text, for checks of the kind text
	out     Outcome
	command *CommandResult
	counts  map[string]int // input of a loop -> how many items it has
	dir     string         // absolute, where the command ran
	room    Room
}

// ruling is what a check found.
type ruling uint8

const (
	holds ruling = iota
	fails
	unknowable // it cannot be looked at here
)

// onState reports whether a check is about what a State holds: it is waited for.
func onState(c workflow.Check) bool {
	switch c.Kind {
	case "url", "heading", "dialog", "alert", "row_count", "field_value", "detail":
		return true
	}
	return false
}

// state judges a check against a state of the page.
func (b bindings) state(c workflow.Check, st capture.State, sc *scene) ruling {
	switch c.Kind {
	case "url":
		return gone(c, b.atAddress(c.Expect, st.URL))
	case "heading":
		return gone(c, b.pattern(c.Expect).any(st.Headings, pattern.is))
	case "dialog":
		p := b.pattern(orThe(c.Expect, c.Name))
		return gone(c, p.any(st.Dialogs, pattern.is) || p.any(sc.out.Dialogs, pattern.in))
	case "alert":
		seen := st.Alerts
		if !c.Gone {
			seen = slices.Concat(seen, sc.alerts, sc.out.Dialogs)
		}
		return gone(c, b.pattern(strings.TrimRight(c.Expect, ".")).any(seen, pattern.in))
	case "field_value":
		return b.field(c, st)
	case "detail":
		return b.detail(c, st, sc)
	case "row_count":
		return b.rows(c, st, sc)
	}
	return unknowable
}

func gone(c workflow.Check, there bool) ruling {
	if there == c.Gone {
		return fails
	}
	return holds
}

// atAddress compares the path and those query values that the check names.
func (b bindings) atAddress(expect, address string) bool {
	wantPath, wantQuery, _ := strings.Cut(expect, "?")
	gotPath := routeOf(address)
	as := func(s string) string { return s }
	same := func(want, got string) bool {
		return compilePattern(want, b, as).is(got) || compilePattern(want, b, url.PathEscape).is(got)
	}
	open, err := url.PathUnescape(gotPath)
	if err != nil {
		open = gotPath
	}
	trim := func(s string) string { return orThe(strings.TrimRight(s, "/"), "/") }
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
		p := b.pattern(v)
		if !slices.ContainsFunc(got[k], p.is) {
			return false
		}
	}
	return true
}

// segments compares two paths part by part: {*} is one part, never several. A value may hold a slash.
func segments(want, got string, same func(want, got string) bool) bool {
	if !strings.Contains(want, unknown) {
		return same(want, got)
	}
	w, g := strings.Split(want, "/"), strings.Split(got, "/")
	return len(w) == len(g) && slices.EqualFunc(w, g, same)
}

// routeOf is an address's path, with the route of a page that keeps it behind "#".
func routeOf(address string) string {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		address = "/" + rest
	}
	rest, frag, _ := strings.Cut(address, "#")
	rest, _, _ = strings.Cut(rest, "?")
	if strings.HasPrefix(frag, "/") || strings.HasPrefix(frag, "!/") {
		frag, _, _ = strings.Cut(frag, "?")
		rest += "#" + frag
	}
	return rest
}

// field judges a field's value. A page may have several of one label: one of them must do.
func (b bindings) field(c workflow.Check, st capture.State) ruling {
	label, value := b.pattern(c.Name), b.pattern(c.Expect)
	found := false
	for _, f := range st.Fields {
		if !label.is(f.Label) {
			continue
		}
		found = true
		if value.is(valueOf(f)) != c.Gone {
			return holds
		}
	}
	if !found && c.Gone {
		return holds
	}
	return fails
}

// detail judges what the page says beside a label, or whether that is something else than before.
func (b bindings) detail(c workflow.Check, st capture.State, sc *scene) ruling {
	now, there := b.beside(c.Name, st)
	if c.Expect != "" {
		return gone(c, slices.ContainsFunc(now, func(text string) bool { return b.tells(c.Expect, text) }))
	}
	was, known := b.beside(c.Name, sc.before)
	if !known || routeOf(sc.before.URL) != routeOf(st.URL) {
		return unknowable
	}
	return gone(c, there && !slices.Equal(was, now))
}

// beside is what the page says beside a label.
func (b bindings) beside(label string, st capture.State) (out []string, there bool) {
	p := b.pattern(label)
	for _, f := range st.Details {
		if p.is(f.Label) {
			out, there = append(out, valueOf(f)), true
		}
	}
	return out, there
}

// tells reports whether a text is what is expected; a page may group the digits of a number and write its decimals out.
func (b bindings) tells(expect, text string) bool {
	if b.pattern(expect).is(text) {
		return true
	}
	want, is := plainNumber(b.text(expect)), plainNumber(text)
	return want != "" && want == is
}

var numberForm = lazyre.New(`^-?\d{1,3}(?:[,' \x{a0}\x{202f}]\d{3})*(?:\.\d+)?$|^-?\d+(?:\.\d+)?$`)

// plainNumber is a number without what groups its digits, "" of what is none.
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

func valueOf(f capture.Field) string {
	switch {
	case f.Raw != nil:
		return f.Raw.Text
	case f.Value != nil:
		return f.Value.Text
	}
	return ""
}

// rows judges a table's number of rows, or by how many it changed since the act.
func (b bindings) rows(c workflow.Check, st capture.State, sc *scene) ruling {
	now, ok := b.table(c, st)
	if c.Delta == 0 {
		least := 1
		if s := c.Extra["min"]; s != "" && s != "1" {
			least = atoi(s)
		}
		return gone(c, ok && now.Rows >= least)
	}
	was, known := b.baseline(c, st, sc)
	if !known {
		return unknowable
	}
	if !ok { // an empty list is often none at all
		now = capture.Table{}
	}
	want := c.Delta * sc.each(c)
	if now.Rows-was.Rows == want || now.Total > 0 && was.Total > 0 && now.Total-was.Total == want {
		return gone(c, true)
	}
	return gone(c, false)
}

// each is how often a number counts: once, or for every item that was gathered.
func (sc *scene) each(c workflow.Check) int {
	if n := sc.counts[strings.Trim(c.Extra["each"], "{}")]; n > 0 {
		return n
	}
	return 1
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

// table finds the table that a check names: by its columns, else by its name, else the only one.
func (b bindings) table(c workflow.Check, st capture.State) (capture.Table, bool) {
	var columns []string
	if s := c.Extra["columns"]; s != "" {
		columns = strings.Split(s, "; ")
	}
	name := b.pattern(c.Name)
	if len(columns) > 1 {
		for _, t := range st.Tables {
			if slices.EqualFunc(t.Columns, columns, func(got, want string) bool { return b.pattern(want).is(got) }) {
				return t, true
			}
		}
	}
	for _, t := range st.Tables {
		if c.Name != "" && t.Name != "" && name.is(t.Name) && (len(columns) == 0 || len(t.Columns) == len(columns)) {
			return t, true
		}
	}
	if len(st.Tables) == 1 && len(columns) < 2 && (c.Name == "" || name.any(st.Headings, pattern.is)) {
		return st.Tables[0], true
	}
	return capture.Table{}, false
}

// baseline is the table as it was before the act: on the same page, or when the page was seen last.
func (b bindings) baseline(c workflow.Check, st capture.State, sc *scene) (capture.Table, bool) {
	here := routeOf(st.URL)
	if t, ok := b.table(c, sc.before); ok {
		return t, true
	}
	if routeOf(sc.before.URL) == here {
		return capture.Table{}, true // the page had no such list: it was empty
	}
	for _, s := range slices.Backward(sc.past) {
		if routeOf(s.URL) != here {
			continue
		}
		t, _ := b.table(c, s)
		return t, true
	}
	return capture.Table{}, false
}

// other judges a check that is not about a state of the page.
func (b bindings) other(c workflow.Check, sc *scene) ruling {
	switch c.Kind {
	case "input":
		return gone(c, b.pattern(c.Expect).is(b[c.Name]))
	case "text":
		return gone(c, b.pattern(c.Expect).in(sc.text))
	case "file":
		return gone(c, b.file(c, sc))
	case "exit_code":
		if sc.command == nil {
			return unknowable
		}
		return gone(c, sc.command.Killed == "" && sc.command.ExitCode == atoi(orThe(b.text(c.Expect), "0")))
	case "output":
		if sc.command == nil {
			return unknowable
		}
		return gone(c, b.pattern(c.Expect).in(string(sc.command.Output)))
	case "process": // outside of the box nothing can be seen, and nothing in it outlives its line
		if sc.command == nil || c.Gone {
			return unknowable
		}
		return gone(c, slices.Contains(sc.command.Running, b.text(c.Name)))
	}
	return unknowable
}

// file looks for a file that the run made.
func (b bindings) file(c workflow.Check, sc *scene) bool {
	name := b.pattern(path.Base(c.Expect))
	root, below := sc.room.Dir(), ""
	switch c.Extra["where"] {
	case "downloads":
		root = sc.room.Downloads()
	case "cwd":
		root = sc.dir
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
		if !name.is(d.Name()) || p == root || !within(p, root, b.text(below), flat) {
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

// within reports whether p is in the folder that is meant: right below root, or in a folder whose path ends with below.
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

// heads are what files of a kind begin with: an error page that was saved under a file's name is none.
var heads = map[string][]string{
	".pdf": {"%PDF"}, ".png": {"\x89PNG"}, ".jpg": {"\xff\xd8"}, ".jpeg": {"\xff\xd8"}, ".gif": {"GIF8"}, ".gz": {"\x1f\x8b"}, ".tgz": {"\x1f\x8b"},
	".zip": {"PK"}, ".xlsx": {"PK"}, ".docx": {"PK"}, ".pptx": {"PK"}, ".ods": {"PK"}, ".odt": {"PK"},
}

// blank reports whether a small file holds nothing but white space: as good as empty.
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

// typed reports whether a file is of the kind that its ending says, as far as its beginning tells.
func (b bindings) typed(c workflow.Check, p string) bool {
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
