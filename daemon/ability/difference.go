package ability

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// maxUnified is how much of one file's diff is shown, in bytes.
const maxUnified = 32 << 10

// Difference compares an ability as it is now with what a person approved. If it was never approved, every file is new.
func (s *Reviews) Difference(ctx context.Context, id string) (Difference, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, a, err := s.asItIs(ctx, id)
	if err != nil {
		return Difference{}, err
	}
	approved, known, err := s.content(ctx, a.AbilityID)
	if err != nil {
		return Difference{}, err
	}
	if !known {
		approved = Content{}
	}
	e := w.entry(a)
	if a.BuiltIn {
		return Difference{AbilityID: a.AbilityID, SkillSlug: a.Slug, Trust: a.Trust, Reason: e.ReasonUnusable, ApprovedHash: a.ApprovedHash,
			ContentHash: a.ApprovedHash, Where: "bundle", Files: []FileChange{}, Permissions: normal(a.Permissions), Granted: a.Granted,
			Note: "it comes with Showhow, and is as this version of Showhow has it", Revision: a.Revision, SchemaVersion: 1}, nil
	}
	d := Difference{AbilityID: a.AbilityID, SkillSlug: a.Slug, Trust: a.Trust, Reason: e.ReasonUnusable, ApprovedHash: a.ApprovedHash,
		Files: []FileChange{}, Permissions: normal(a.Permissions), Granted: a.Granted, CanRestore: known && a.Trust != TrustApproved,
		Revision: a.Revision, SchemaVersion: 1}
	d.Warnings = runWarnings(a.Metadata)
	var place string
	d.Folder = s.bundlePath(a.Slug)
	if d.Where, place = s.standsAt(a); d.Where != "bundle" {
		d.SetAside = place
		approved.Bundle = s.written(a.Drift, approved.Bundle, a.Manifest)
	} else if err := s.find(ctx, &d, place, approved.Bundle); err != nil {
		return Difference{}, err
	}
	s.compare(&d, place, approved.Bundle, known || a.ApprovedHash == "")
	return d, nil
}

// find fills in what a person has to judge before trusting the content at place.
func (s *Reviews) find(ctx context.Context, d *Difference, place string, approved skill.Bundle) error {
	now, err := skill.ReadDir(place)
	if err != nil || d.Trust == TrustApproved {
		return nil // compare says why it cannot be read
	}
	all, err := newFindings(ctx, s.o.Scan, now, approved)
	for _, f := range all {
		d.Findings = append(d.Findings, f.ScanFinding)
		d.Blocked = d.Blocked || f.Blocks
		if f.Instructs && !slices.Contains(d.FindingsToRead, f.ID()) {
			d.FindingsToRead = append(d.FindingsToRead, f.ID())
		}
	}
	return err
}

// compare fills in the files that differ between the approved content and the content at place.
func (s *Reviews) compare(d *Difference, place string, approved skill.Bundle, known bool) {
	if !known {
		d.Note = "it was approved before Showhow kept approved contents, so the difference cannot be shown"
		return
	}
	if place == "" {
		d.Note = "the changed copy is gone"
		return
	}
	now, err := skill.ReadDir(place)
	if err != nil {
		d.Note = "what stands there now cannot be read as a skill: " + fault.From(err).Message
		return
	}
	d.ContentHash = now.Hash()
	d.Files = Changes(approved, now)
}

// Changes lists the files in which b differs from a, by path.
func Changes(a, b skill.Bundle) []FileChange {
	out := []FileChange{}
	paths := map[string]bool{}
	for _, f := range slices.Concat(a.Files, b.Files) {
		paths[f.Path] = f.Path != skill.HostManaged
	}
	for p, counts := range paths {
		if !counts {
			continue
		}
		was, is := a.File(p), b.File(p)
		switch {
		case was == nil:
			out = append(out, withDifference(FileChange{Path: p, Change: "added"}, nil, is.Data))
		case is == nil:
			out = append(out, withDifference(FileChange{Path: p, Change: "removed"}, was.Data, nil))
		case !bytes.Equal(was.Data, is.Data):
			out = append(out, withDifference(FileChange{Path: p, Change: "changed"}, was.Data, is.Data))
		case was.Mode != is.Mode:
			out = append(out, FileChange{Path: p, Change: "mode"})
		}
	}
	slices.SortFunc(out, func(x, y FileChange) int { return strings.Compare(x.Path, y.Path) })
	return out
}

// withDifference adds the unified diff. Control bytes that a terminal would obey are shown as codes.
func withDifference(c FileChange, was, is []byte) FileChange {
	if c.Binary = !isText(was) || !isText(is); c.Binary {
		return c
	}
	oldName, newName := "approved/"+c.Path, "now/"+c.Path
	u := string(diff.Diff(oldName, was, newName, is))
	if _, rest, ok := strings.Cut(u, "\n"); ok && strings.HasPrefix(u, "diff ") {
		u = rest
	}
	if len(u) > maxUnified {
		cut := u[:maxUnified]
		u, c.Truncated = cut[:strings.LastIndexByte(cut, '\n')+1], true
	}
	c.Unified = visible(u)
	return c
}

func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// visible writes control and invisible characters as their codes: a diff is read to find out what was hidden.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case hiddenRune(r):
			b.WriteString("<U+" + strings.ToUpper(hex4(r)) + ">")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// keepApproved stores approved contents from before contents were kept, as long as they are still what was approved.
func (s *Reviews) keepApproved(ctx context.Context, w *world) (changed bool, err error) {
	for _, a := range w.abilities {
		if _, ok, err := s.content(ctx, a.AbilityID); err != nil || ok || a.Trust != TrustApproved || a.BuiltIn {
			if err != nil {
				return false, err
			}
			continue
		}
		b, err := skill.ReadDir(s.bundlePath(a.Slug))
		if err != nil || b.Hash() != a.ApprovedHash {
			continue
		}
		if err := s.o.Store.Update(ctx, func(tx Tx) error { return tx.PutContent(Content{a.AbilityID, a.ApprovedHash, b}) }); err != nil {
			return false, err
		}
	}
	return false, nil // contents are no part of the records
}

// Restore puts the approved content back and trusts it again. The current content is set aside, not deleted.
func (s *Reviews) Restore(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, a, err := s.toChange(ctx, id, rev)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	if err := a.ownToDecide(); err != nil {
		return AvailabilityEntry{}, err
	}
	kept, ok, err := s.content(ctx, a.AbilityID)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	if !ok || kept.Hash != a.ApprovedHash {
		return AvailabilityEntry{}, fault.New(fault.TrustRequired,
			"no approved content of it is kept").WithHint("look at it as it is and approve that, or install it again")
	}
	if err := s.putContent(*a, kept); err != nil {
		return AvailabilityEntry{}, err
	}
	return s.trusted(ctx, w, a, Restored, kept, 0)
}
