package scan

import (
	"context"
	"io/fs"
	"runtime"
	"sync"

	"showhow/capture/redact"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/fault"
)

// RuleVersion changes with the rules: a report made by another version is made again.
const RuleVersion = "2026.14"

// Installed is a skill that is there already.
type Installed struct {
	Slug     string
	Triggers []string
}

// Options say what else is known of the skill. The zero value scans a folder that nobody else knows.
type Options struct {
	Name      string      // the name that the folder has or shall have; empty: what SKILL.md says
	Installed []Installed // for collisions; the skill itself not among them
	Triggers  []string    // the phrases that call it, beside those in SKILL.md

	// Redactor finds the secrets inside and shortens excerpts. Nil: those that everybody shares.
	Redactor *redact.Redactor
}

// Bundle scans the skill whose folder is fsys. The error is the caller's: a context that ended, a folder that cannot be read.
// What is wrong with the skill is in the report.
func Bundle(ctx context.Context, fsys fs.FS, o Options) (report.Report, error) {
	if o.Redactor == nil {
		r, giveBack, err := redact.Lend()
		if err != nil {
			return report.Report{}, fault.Wrap(err, fault.Internal, "the rules for secrets cannot be loaded")
		}
		defer giveBack()
		o.Redactor = r
	}
	b := &bundle{o: o, ours: map[string]bool{}}
	if err := b.read(ctx, fsys); err != nil {
		return report.Report{}, err
	}
	b.about()
	b.lead()
	b.each(ctx)
	b.effects()
	b.flows(ctx)
	if err := ctx.Err(); err != nil {
		return report.Report{}, fault.Wrap(err, fault.Internal, "the scan was stopped before its end").WithHint("try again")
	}
	b.declared()
	return b.report(), nil
}

// Compare says only whether a skill can stand beside the others and where it can run; harm is not looked for.
func Compare(s skill.Bundle, o Options) report.Compatibility {
	b := &bundle{o: o, ours: map[string]bool{}}
	for _, f := range s.Files {
		b.files = append(b.files, newFile(f.Path, f.Data))
	}
	b.about()
	return b.compatibility()
}

// each looks at every file and follows the values in it, as many at a time as there are processors. What a file says is collected beside
// it, so the order of the report does not depend on who was first.
func (b *bundle) each(ctx context.Context) {
	b.spoken = b.speaksOfFiles()
	code := 0
	for _, f := range b.files {
		switch f.Kind {
		case source.Markdown, source.Plain, source.Markup, source.DataFile, source.Binaries:
			continue
		}
		if code += len(f.Text); code > maxCode {
			f.Add("unread", 0, "", report.With{Meaning: "The bundle has more code than is followed; this file was not read."})
			f.SetText("")
			f.Data = nil
		}
	}
	work := make(chan *file)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), max(1, len(b.files))) {
		wg.Go(func() {
			for f := range work {
				b.guarded(ctx, f)
			}
		})
	}
	for _, f := range b.files {
		if ctx.Err() != nil {
			break
		}
		work <- f
	}
	close(work)
	wg.Wait()
}

// guarded looks at one file. A parser that fails on a file made for it must not end the daemon, nor pass for a clean file.
func (b *bundle) guarded(ctx context.Context, f *file) {
	defer func() {
		if recover() != nil {
			f.Add("unread", 0, "", report.With{Meaning: "The file makes its parser fail.", Severity: report.High})
		}
	}()
	b.look(f)
	prose.ReadAhead(f.told)
	if f.code != nil {
		f.world = flow.NewWorld(b.ours)
		f.world.Follow(ctx, f.code)
	}
}
