package custody

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"showhow/daemon/imports"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const exportReadme = `What Showhow keeps, as it was when this file was written.

memory/        skills, drafts, records and reports, as they lie in the memory root
sessions.json  demonstrations
observations/  what was kept of each, in order, one JSON object a line
notes/         notes, tasks and captured items; their history is in the git repository in the notes folder
mined.json     what was noticed to be done again and again
proposals.json, imports.json, categories.json, agents.json, settings.json

Not in it: sealed values and their keys, tokens, logs, and the browser's profile.
`

// exporter writes the parts of an export.
type exporter struct {
	c   *Custody
	zip *zip.Writer
	n   int
}

// export writes everything readable into a new file that only its owner can read. An unfinished file is removed.
func (c *Custody) export(ctx context.Context, name string) (wire.DataExported, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return wire.DataExported{}, fault.Wrap(err, fault.NotFound,
			"the file cannot be created there").WithHint("name a folder that exists and that you can write to")
	}
	x := exporter{c: c, zip: zip.NewWriter(f)}
	err = errors.Join(x.all(ctx), x.zip.Close(), f.Sync())
	info, serr := f.Stat()
	if err = errors.Join(err, serr, f.Close()); err != nil {
		return wire.DataExported{}, errors.Join(fault.Wrap(err, fault.Internal,
			"the export could not be written").WithHint("check the free space there"), os.Remove(name))
	}
	return wire.DataExported{File: name, Files: x.n, Bytes: info.Size(), SchemaVersion: 1}, nil
}

func (x *exporter) all(ctx context.Context) error {
	if err := x.file("README.txt", func(w io.Writer) error { _, err := io.WriteString(w, exportReadme); return err }); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{x.memory, x.notes, x.sessions, x.records} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) file(name string, write func(io.Writer) error) error {
	w, err := x.zip.Create(name)
	if err != nil {
		return err
	}
	x.n++
	return write(w)
}

func (x *exporter) json(name string, v any) error {
	return x.file(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// memory copies the memory root's files.
func (x *exporter) memory(ctx context.Context) error {
	return x.folder(ctx, x.c.o.Memory, "memory/", func(fs.DirEntry) bool { return true })
}

// notes copies the Markdown files of the notes folder, which nobody need have begun.
func (x *exporter) notes(ctx context.Context) error {
	err := x.folder(ctx, x.c.o.Notes, "notes/", func(e fs.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), ".") && (e.IsDir() || strings.EqualFold(path.Ext(e.Name()), ".md"))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// folder copies what is wanted of a folder's files without following symlinks.
func (x *exporter) folder(ctx context.Context, dir, under string, wanted func(fs.DirEntry) bool) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if p != "." && !wanted(e) && e.IsDir() {
			return fs.SkipDir
		}
		if !e.Type().IsRegular() || !wanted(e) {
			return nil
		}
		f, err := root.Open(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // replaced meanwhile
		}
		if err != nil {
			return err
		}
		defer f.Close()
		return x.file(under+p, func(w io.Writer) error { _, err := io.Copy(w, f); return err })
	})
}

// sessions writes the sessions with what was kept of each.
func (x *exporter) sessions(ctx context.Context) error {
	all, err := pages(func(q wire.PageQuery) ([]state.Session, int, error) {
		l, err := x.c.o.Learn.Sessions(ctx, wire.SessionFilter{PageQuery: q})
		return l.Sessions, l.Total, err
	})
	if err != nil {
		return err
	}
	if err := x.json("sessions.json", all); err != nil {
		return err
	}
	for _, s := range all {
		err := x.file(fmt.Sprintf("observations/%s.jsonl", s.LearnSessionID), func(w io.Writer) error {
			return x.observations(ctx, w, s.LearnSessionID)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) observations(ctx context.Context, w io.Writer, id string) error {
	out := json.NewEncoder(w)
	for after := int64(0); ; {
		some, err := x.c.o.Store.Observations(ctx, id, after, 500)
		if err != nil || len(some) == 0 {
			return err
		}
		for _, r := range some {
			if err := out.Encode(r); err != nil {
				return err
			}
		}
		after = some[len(some)-1].Seq
	}
}

// records writes everything that is neither a file of the memory root nor a session.
func (x *exporter) records(ctx context.Context) error {
	proposals, err := pages(func(q wire.PageQuery) ([]state.Proposal, int, error) {
		l, err := x.c.o.Learn.Proposals(ctx, wire.ProposalFilter{PageQuery: q})
		return l.Proposals, l.Total, err
	})
	if err != nil {
		return err
	}
	imported, err := pages(func(q wire.PageQuery) ([]imports.Record, int, error) {
		l, err := x.c.o.Imports.List(ctx, imports.Filter{Page: q.Page, PageSize: q.PageSize})
		return l.Items, l.Total, err
	})
	if err != nil {
		return err
	}
	categories, err := x.c.o.Categories.List(ctx)
	if err != nil {
		return err
	}
	agents, err := x.c.o.Intake.Agents(ctx)
	if err != nil {
		return err
	}
	mined, err := x.c.o.Mining.List(ctx)
	if err != nil {
		return err
	}
	return errors.Join(x.json("mined.json", mined), x.json("proposals.json", proposals), x.json("imports.json", imported),
		x.json("categories.json", categories),
		x.json("agents.json", agents), x.json("settings.json", x.c.o.Settings.Saved().SettingsValues))
}

// pages reads a paged list to its end.
func pages[T any](read func(wire.PageQuery) ([]T, int, error)) ([]T, error) {
	out := []T{}
	for page := 1; ; page++ {
		some, total, err := read(wire.PageQuery{Page: page, PageSize: 100})
		if err != nil {
			return nil, err
		}
		if out = append(out, some...); len(some) == 0 || len(out) >= total {
			return out, nil
		}
	}
}
