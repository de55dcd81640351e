package scan

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"showhow/daemon/skill"
	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/reach"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/fault"
)

// Limits of a scan. They are wider than those of an import, which has its own: a scan also looks at folders that lie there.
const (
	maxFiles     = 5000
	maxFileBytes = 8 << 20
	maxBytes     = 32 << 20
	maxCode      = 8 << 20 // of all programs; an import has at most 10 MB of files
	maxDepth     = 4       // layers of encoding inside each other
)

// file is one file of the bundle, with what was made of it on the way.
type file struct {
	*source.File
	code  []*flow.Unit
	world *flow.World  // what its code knows by itself
	told  []prose.Told // what its sentences do, of a document
}

// bundle is a scan under way.
type bundle struct {
	o       Options
	files   []*file
	bytes   int64
	doc     skill.Document
	docOK   bool
	byLine  bool // its head is no YAML
	entry   *file
	purpose prose.Kind      // the kinds of its name and head
	ours    map[string]bool // base names of the files
	extra   []report.Finding
	reach   reach.Map
	spoken  map[string]bool // the base names that its documents speak of
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
				b.extra = append(b.extra, report.Note("unread",
					report.With{Meaning: "A .git folder with its own hooks and settings is part of the bundle."}, p, 0,
					""))
				return b.gitHooks(fsys, p)
			}
			return nil
		case !d.Type().IsRegular():
			w, rule := report.With{Meaning: "It is a special file."}, "unread"
			if d.Type()&fs.ModeSymlink != 0 {
				w, rule = report.With{Meaning: "It is a link, which is not followed and not installed."}, "not-whole"
			}
			b.extra = append(b.extra, report.Note(rule, w, p, 0, ""))
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
	sort.Slice(b.files, func(i, j int) bool { return b.files[i].Path < b.files[j].Path })
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
		b.extra = append(b.extra, report.Note("unread", report.With{Meaning: "The bundle has more files or bytes than a scan reads."}, p, 0, ""))
		return fs.SkipAll
	}
	r, err := fsys.Open(p)
	if err != nil {
		b.extra = append(b.extra, report.Note("unread", report.With{Meaning: "The file cannot be opened."}, p, 0, ""))
		return nil
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	f := newFile(p, data[:min(len(data), maxFileBytes)])
	if err != nil || len(data) > maxFileBytes {
		f.Add("unread", 0, "", report.With{})
	}
	if info, err := d.Info(); err == nil {
		f.Exec = info.Mode()&0o111 != 0
	}
	b.bytes += int64(len(f.Data))
	b.files = append(b.files, f)
	return nil
}

func newFile(p string, data []byte) *file { return &file{File: source.New(p, data)} }

// report is everything together; excerpts are made safe here, once.
func (b *bundle) report() report.Report {
	r := report.Report{Findings: append([]report.Finding{}, b.extra...), FilesScanned: len(b.files), Bytes: b.bytes}
	weak := make([]bool, len(b.extra))
	for _, f := range b.files {
		r.Findings, weak = append(r.Findings, f.Found...), append(weak, f.Weak...)
	}
	b.examined(&r, &weak)
	r.Permissions = b.permissions()
	r.Compatibility = b.compatibility()
	b.calibrate(r.Findings, weak)
	if note, any := b.reach.Lower(r.Findings); any {
		r.Findings = append(r.Findings, note)
	}
	r.Finish()
	for i := range r.Findings {
		r.Findings[i].Excerpt = b.excerpt(r.Findings[i].Excerpt)
		r.Findings[i].File = source.Visible(r.Findings[i].File)
	}
	return r
}

// examined notes what keeps a bundle from being clean although nothing in it is bad: it runs, fetches or sends, or something in it was not
// understood.
func (b *bundle) examined(r *report.Report, weak *[]bool) {
	note := func(rule, file string, line int, w report.With, excerpt string) {
		r.Findings, *weak = append(r.Findings, report.Note(rule, w, file, line, excerpt)), append(*weak, false)
	}
	switch {
	case b.entry == nil:
		note("unread", skill.Entry, 0, report.With{Meaning: "There is no SKILL.md, so nothing says what the rest is for."}, "")
	case b.byLine:
		note("not-whole", b.entry.Path, 1, report.With{Meaning: "SKILL.md has no head, or one that is no YAML and was read line by line."}, "")
	case !b.docOK:
		note("unread", b.entry.Path, 1, report.With{Meaning: "The head of SKILL.md cannot be read, so what it declares is not known."}, "")
	}
	runs, reaches := false, false
	for _, f := range b.files {
		code := f.Kind == source.Shell || f.Kind == source.Python || f.Kind == source.Script || f.Kind == source.Power || f.Kind == source.Other
		if !runs && (code || f.Uses.Tools["shell"] || len(f.Uses.Programs) > 0) {
			runs = true
			note("runs-commands", f.Path, 0, report.With{}, "")
		}
		line, far := 0, f.Uses.Tools["network"] || f.Uses.Tools["install"]
		for i := range f.told {
			if !far && f.told[i].Leaves() {
				line, far = f.told[i].Line, true
			}
		}
		if !reaches && far {
			reaches = true
			note("uses-network", f.Path, line, report.With{}, f.LineText(line))
		}
	}
}

// grave are rules of which one finding in prose is enough to block: something is kept from the user, or what is theirs is sent away.
var grave = source.Words("prompt-conceal prompt-exfiltration")

// chosen are rules about wanting to be chosen, which one sentence can offend together.
var chosen = source.Words("prompt-hijack trigger-bait trigger-wide")

// calibrate: one finding that words alone make is for review, unless it conceals or sends away; beside a finding of another kind in the
// same statement, on its line or the next one, it blocks. Two that stand apart are two readings: a longer text has more by chance.
func (b *bundle) calibrate(found []report.Finding, weak []bool) {
	var lowered []int
	for i := range found {
		f := &found[i]
		if !weak[i] || f.Severity != report.High || grave[f.RuleID] {
			continue
		}
		beside := slices.ContainsFunc(found, func(g report.Finding) bool {
			far := g.Line - f.Line
			return g.RuleID != f.RuleID && g.File == f.File && far*far <= 1 && !(chosen[g.RuleID] && chosen[f.RuleID]) &&
				g.Severity.AtLeast(report.High)
		})
		if !beside {
			lowered = append(lowered, i)
		}
	}
	for _, i := range lowered {
		found[i].Severity = report.Medium
	}
}

// maxExcerpt is how much of the place a finding quotes: a person who judges a sentence must see where it ends.
const maxExcerpt = 400

// excerpt is one line, short, visible and without secrets. Whom it names is shown: to whom something goes is often the point.
func (b *bundle) excerpt(s string) string {
	s = strings.Join(strings.Fields(source.Visible(s)), " ")
	cut := len(s) > maxExcerpt
	if cut {
		s = strings.ToValidUTF8(s[:maxExcerpt], "")
	}
	s = b.o.Redactor.Secrets(s)
	if r := []rune(s); len(r) > maxExcerpt { // a secret's mark can be longer than the secret
		s, cut = string(r[:maxExcerpt]), true
	}
	if cut {
		s += "…"
	}
	return s
}
