package imports

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
	"showhow/internal/regular"
)

// FromSource imports a skill that is no browser upload: a folder or an archive on this computer, a git repository, or
// the text of a SKILL.md. The result is packed as a zip and kept like an upload; from there on the path is the same.
func (s *Intake) FromSource(ctx context.Context, m Meta, r SourceRequest) (UploadResponse, error) {
	if r.Source == "" {
		r.Source = ManualUpload
	}
	m.ClientRequestID = r.ClientRequestID
	u := Stored{Artifact: Artifact{ArtifactKind: "skill_bundle_dir"}, Source: r.Source, Pack: r.RequestedPackID, Notes: r.Notes,
		Provenance: Provenance{Kind: r.Kind, Within: r.Within}}
	files, name, err := s.sources.collect(ctx, r, &u.Provenance)
	if err != nil {
		return UploadResponse{}, err
	}
	if r.Kind == "registry" {
		if err := s.again(ctx, u.Provenance, skill.Bundle{Files: files}.Hash()); err != nil {
			return UploadResponse{}, err
		}
	}
	if r.Kind == "text" {
		u.ArtifactKind = "generated_bundle"
	}
	c := archive.Contents{Files: files}
	b, _, err := archive.Pick(c, r.Within, name)
	if err != nil {
		return UploadResponse{}, err
	}
	packed, err := archive.Pack(b.Files)
	if err != nil {
		return UploadResponse{}, fault.Wrap(err, fault.Internal, "the skill could not be packed")
	}
	u.OriginalFilename = cleanName(b.Name + ".zip")
	part, err := s.receive(bytes.NewReader(packed), &u)
	if err != nil {
		return UploadResponse{}, err
	}
	defer os.Remove(part)
	return s.keep(ctx, m, part, u)
}

// again refuses a pull of exactly what waits for a decision, or is installed: a second import of it would decide nothing.
func (s *Intake) again(ctx context.Context, p Provenance, hash string) error {
	var all []Item
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { all, err = tx.Pulls(ReadyForReview, p.Digest); return err })
	if err != nil {
		return err
	}
	for _, i := range all {
		if i.ContentHash == hash && samePull(i.Provenance, p) && i.Provenance.Updates == p.Updates {
			return fault.New(fault.SkillImportWaiting, "exactly this was pulled before, and waits for your decision").
				WithDetail("import_id", i.ImportID).WithHint("`showhow skill imports show " + i.ImportID + "`, then approve or reject it")
		}
	}
	origins, err := s.o.Installer.Origins(ctx)
	if err != nil {
		return err
	}
	for _, o := range origins {
		if o.Trust == ability.TrustApproved && samePull(o.From, p) &&
			(o.ApprovedHash == hash || o.ApprovedHash == o.From.HereHash && o.From.TrustHash == hash) {
			return fault.New(fault.SkillImportInstalled, "exactly this is installed already").
				WithDetail("skill_slug", o.Slug).WithHint("as " + o.Slug + "; `showhow skill outdated` compares it with the registry")
		}
	}
	return nil
}

// samePull reports whether two pulls took the same thing from the same place and say the same of the key.
func samePull(a, b Provenance) bool {
	return a.Kind == b.Kind && a.Reference == b.Reference && a.Digest == b.Digest && a.Signer == b.Signer && a.Pinned == b.Pinned
}

// sources reads skills that are not browser uploads.
type sources struct{ o Options }

// collect reads the source's files, by the rules of an archive.
func (s *sources) collect(ctx context.Context, r SourceRequest, p *Provenance) (files []skill.File, name string, err error) {
	switch r.Kind {
	case "text":
		return []skill.File{{Path: skill.Entry, Mode: 0o644, Data: []byte(r.Text)}}, "pasted-skill", nil
	case "folder":
		files, err = s.folder(ctx, r.Path)
		return files, filepath.Base(r.Path), err
	case "archive":
		c, err := s.archiveFile(ctx, r.Path)
		return c.Files, archive.FolderName(r.Path), err
	case "git":
		now := s.o.Now()
		p.FetchedAt = &now
		return s.repository(ctx, r, p)
	case "registry":
		return s.remote(ctx, s.o.Remote, r, p)
	case "connector":
		return s.remote(ctx, s.o.Offered, r, p)
	}
	return nil, "", fault.New(fault.InvalidRequest, "the kind of source is unknown")
}

// remote reads a skill from a registry or a connector. What came whole is kept; a pull that is broken off has written
// nothing.
func (s *sources) remote(ctx context.Context, far Remote, r SourceRequest, p *Provenance) ([]skill.File, string, error) {
	if far == nil {
		return nil, "", fault.New(fault.InvalidRequest, "the kind of source is unknown")
	}
	files, name, from, err := far.Fetch(ctx, r)
	if err != nil {
		return nil, "", err
	}
	now := s.o.Now()
	from.Kind, from.FetchedAt, from.Within = p.Kind, &now, p.Within
	*p = from
	return files, name, nil
}

func (s *sources) archiveFile(ctx context.Context, path string) (archive.Contents, error) {
	if !filepath.IsAbs(path) {
		return archive.Contents{}, notAbsolute()
	}
	f, info, err := regular.Open(path)
	if err != nil {
		return archive.Contents{}, unreadable(err)
	}
	defer f.Close()
	return archive.Read(ctx, f, info.Size(), s.o.Limits)
}

func notAbsolute() error {
	return fault.New(fault.InvalidRequest, "the path must be absolute")
}

func unreadable(err error) error {
	return fault.Wrap(err, fault.SkillImportSourceFailed,
		"the skill could not be read from there").WithHint("check the path and its permissions")
}

// folder reads a folder through an os.Root, without following symlinks. A repository's own folder and desktop files
// (.DS_Store and the like) are skipped unread.
func (s *sources) folder(ctx context.Context, path string) ([]skill.File, error) {
	if !filepath.IsAbs(path) {
		return nil, notAbsolute()
	}
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return nil, unreadable(errors.Join(err, errors.New("not a folder")))
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, unreadable(err)
	}
	defer root.Close()
	c := archive.NewCollector(s.o.Limits, "the folder")
	err = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return unreadable(err)
		case ctx.Err() != nil:
			return fault.Wrap(ctx.Err(), fault.Cancelled, "the import was cancelled")
		case p == ".":
			return nil
		case d.IsDir() && archive.Junk(p):
			return fs.SkipDir
		case archive.Junk(p):
			return nil
		case d.IsDir():
			return c.Folder(p)
		}
		info, err := d.Info()
		if err != nil {
			return unreadable(err)
		}
		return c.File(p, info.Mode(), info.Size(), func() (io.ReadCloser, error) {
			f, _, err := regular.In(root, p)
			return f, err
		})
	})
	if err != nil {
		return nil, fault.From(err)
	}
	return c.Files(), nil
}
