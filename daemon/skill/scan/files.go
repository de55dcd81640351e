package scan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Limits of a scan. They are wider than those of an import, which has its own: a scan also looks at folders that lie there.
const (
	maxFiles     = 5000
	maxFileBytes = 8 << 20
	maxBytes     = 64 << 20
	maxCode      = 1 << 20 // of one program
	maxDepth     = 4       // layers of encoding inside each other
	maxPerRule   = 20      // findings of one rule in one file
)

// file is one file of the bundle and what was found in it.
type file struct {
	path  string
	data  []byte
	text  string // the data, when it is text
	kind  kind
	lines []int // where lines begin
	exec  bool

	teaches bool   // the skill is about attacks: it may quote them
	says    string // what the skill says it is for
	about   string // the letters of its name and head
	found   []Finding
	weak    []bool // of each: words alone say so
	count   map[string]int
	code    []*unit
	world   *world // what its code knows by itself
	uses    uses
	hosts   map[string]bool // seen and judged
	told    []told          // what its sentences do, of a document
}

// bundle is a scan under way.
type bundle struct {
	o       Options
	files   []*file
	bytes   int64
	doc     skill.Document
	docOK   bool
	entry   *file
	purpose ask             // the kinds of its name and head
	ours    map[string]bool // base names of the files
	extra   []Finding
}

// read takes the bundle's files, sorted, within the limits.
func (b *bundle) read(ctx context.Context, fsys fs.FS) error {
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case d.IsDir():
			if p != "." && path.Base(p) == ".git" {
				b.extra = append(b.extra, finding("unread", with{meaning: "A .git folder with its own hooks and settings is part of the bundle."}, p, 0,
					""))
				return b.gitHooks(fsys, p)
			}
			return nil
		case !d.Type().IsRegular():
			b.extra = append(b.extra, finding("unread", with{meaning: "It is a link or a special file."}, p, 0, ""))
			return nil
		}
		return b.take(fsys, p, d)
	})
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	if err != nil {
		return fault.Wrap(err, fault.InvalidRequest, "the skill's folder cannot be read")
	}
	sort.Slice(b.files, func(i, j int) bool { return b.files[i].path < b.files[j].path })
	return nil
}

// gitHooks takes what runs by itself out of a .git folder and leaves its objects.
func (b *bundle) gitHooks(fsys fs.FS, p string) error {
	for _, name := range []string{"config"} {
		if info, err := fs.Stat(fsys, path.Join(p, name)); err == nil && info.Mode().IsRegular() {
			if err := b.take(fsys, path.Join(p, name), fs.FileInfoToDirEntry(info)); err != nil {
				return err
			}
		}
	}
	hooks, err := fs.ReadDir(fsys, path.Join(p, "hooks"))
	if err != nil {
		return fs.SkipDir // no hooks
	}
	for _, h := range hooks {
		if h.Type().IsRegular() && !strings.HasSuffix(h.Name(), ".sample") {
			if err := b.take(fsys, path.Join(p, "hooks", h.Name()), h); err != nil {
				return err
			}
		}
	}
	return fs.SkipDir
}

func (b *bundle) take(fsys fs.FS, p string, d fs.DirEntry) error {
	if len(b.files) >= maxFiles || b.bytes >= maxBytes {
		b.extra = append(b.extra, finding("unread", with{meaning: "The bundle has more files or bytes than a scan reads."}, p, 0, ""))
		return fs.SkipAll
	}
	r, err := fsys.Open(p)
	if err != nil {
		b.extra = append(b.extra, finding("unread", with{meaning: "The file cannot be opened."}, p, 0, ""))
		return nil
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	f := newFile(p, data[:min(len(data), maxFileBytes)])
	if err != nil || len(data) > maxFileBytes {
		f.add("unread", 0, "", with{})
	}
	if info, err := d.Info(); err == nil {
		f.exec = info.Mode()&0o111 != 0
	}
	b.bytes += int64(len(f.data))
	b.files = append(b.files, f)
	return nil
}

func newFile(p string, data []byte) *file {
	f := &file{path: p, data: data, count: map[string]int{}, uses: newUses(), hosts: map[string]bool{}}
	f.kind = kindOf(p, data)
	if f.kind != binaries {
		f.setText(f.steadied(decodeText(data)))
	}
	return f
}

func (f *file) setText(s string) {
	f.text = s
	f.lines = lineStarts(s)
}

func lineStarts(s string) []int {
	starts := make([]int, 1, strings.Count(s, "\n")+1)
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			return starts
		}
		i += j + 1
		starts = append(starts, i)
	}
}

// line is the number of the line at an offset.
func (f *file) line(offset int) int {
	i, found := slices.BinarySearch(f.lines, offset)
	if found {
		return i + 1
	}
	return max(1, i)
}

// lineText is a line's text.
func (f *file) lineText(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	from, to := f.lines[n-1], len(f.text)
	if n < len(f.lines) {
		to = f.lines[n]
	}
	return f.text[from:min(to, from+400)]
}

// decodeText reads UTF-8 and, by its mark, UTF-16; anything else keeps what is valid.
func decodeText(data []byte) string {
	if len(data) > 1 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff) {
		return utf16Text(data)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if utf8.Valid(data) {
		return string(data)
	}
	return strings.ToValidUTF8(string(data), "\ufffd")
}

// with says what is particular to one finding.
type with struct {
	severity Severity
	meaning  string
	weak     bool // words alone say so: see calibrate
}

func finding(rule string, w with, file string, line int, excerpt string) Finding {
	r := byID[rule]
	f := Finding{RuleID: r.ID, Severity: r.Severity, File: file, Line: line, Title: r.Title, Meaning: r.Meaning, Why: r.Why, Excerpt: excerpt}
	if w.severity != "" {
		f.Severity = w.severity
	}
	if w.meaning != "" {
		f.Meaning = w.meaning
	}
	return f
}

// add notes a finding; without an excerpt the line itself is one.
func (f *file) add(rule string, line int, excerpt string, w with) {
	for i := len(f.found) - 1; i >= 0; i-- {
		if x := f.found[i]; x.RuleID == rule && x.Line == line &&
			(x.Severity == w.severity || w.severity == "" && x.Severity == byID[rule].Severity) {
			return // a later pass, or the same twice in a line
		}
	}
	if f.count[rule]++; f.count[rule] > maxPerRule {
		return
	}
	if excerpt == "" {
		excerpt = f.lineText(line)
	}
	f.found, f.weak = append(f.found, finding(rule, w, f.path, line, excerpt)), append(f.weak, w.weak)
}

// report is everything together; excerpts are made safe here, once.
func (b *bundle) report() Report {
	r := Report{Findings: append([]Finding{}, b.extra...), FilesScanned: len(b.files), Bytes: b.bytes}
	weak := make([]bool, len(b.extra))
	for _, f := range b.files {
		r.Findings, weak = append(r.Findings, f.found...), append(weak, f.weak...)
	}
	r.Permissions = b.permissions()
	r.Compatibility = b.compatibility()
	b.calibrate(r.Findings, weak)
	r.finish()
	for i := range r.Findings {
		r.Findings[i].Excerpt = b.excerpt(r.Findings[i].Excerpt)
		r.Findings[i].File = visible(r.Findings[i].File)
	}
	return r
}

// longText is how many sentences a skill has in which one that sounds like an attack is to be expected by chance.
const longText = 80

// chosen are rules about wanting to be chosen, which one sentence can offend together.
var chosen = words("prompt-hijack trigger-bait trigger-wide")

// calibrate: what is a grave sentence in a text of ten is one by chance in a text of a thousand. There, words alone block when
// another finding of another kind stands beside them; else they are for review.
func (b *bundle) calibrate(found []Finding, weak []bool) {
	said := 0
	for _, f := range b.files {
		said += len(f.told)
	}
	if said < longText {
		return
	}
	var lowered []int
	for i := range found {
		f := &found[i]
		if !weak[i] || f.Severity != High {
			continue
		}
		beside := slices.ContainsFunc(found, func(g Finding) bool {
			return g.File == f.File && g.RuleID != f.RuleID && !(chosen[g.RuleID] && chosen[f.RuleID]) && g.Severity.AtLeast(Medium) &&
				g.Line >= f.Line-4 && g.Line <= f.Line+4
		})
		if !beside {
			lowered = append(lowered, i)
		}
	}
	for _, i := range lowered {
		found[i].Severity = Medium
	}
}

// excerpt is one line, short, visible and without secrets.
func (b *bundle) excerpt(s string) string {
	s = strings.Join(strings.Fields(visible(s)), " ")
	if len(s) > 400 {
		s = strings.ToValidUTF8(s[:400], "")
	}
	s = b.o.Redactor.Text(s)
	if utf8.RuneCountInString(s) > 140 {
		s = string([]rune(s)[:140]) + "…"
	}
	return s
}
