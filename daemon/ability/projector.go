package ability

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// projector writes abilities' copies into the targets and removes them.
type projector struct {
	*base
	left bool // Leave has taken the copies away: none is put back by this daemon, which is about to end
}

// putBack writes the copies that targets lack, each announced in the ledger first. A copy that is in the ledger and
// missing on disk was deleted by somebody: it stays deleted unless heal names just that ability. A copy that cannot be
// written is logged and shows as the reason why the ability is not usable. It returns the ledger rows to commit.
func (s *projector) putBack(ctx context.Context, w *world, heal string) []LedgerEntry {
	var rows []LedgerEntry
	for _, a := range w.abilities {
		g, ok := w.seen[a.AbilityID]
		if !ok || !wanted(a) {
			continue
		}
		if g.bundle.there && !slices.ContainsFunc(s.o.Targets, func(t Target) bool { return s.lacks(w, a, g, t, heal) }) {
			continue
		}
		b, err := s.source(ctx, w, a, g)
		if err != nil {
			s.o.Log.Warn("an ability's files cannot be read", "ability_id", a.AbilityID, "code", fault.CodeOf(err))
			continue
		}
		g.bundle = place{true, a.ApprovedHash}
		w.seen[a.AbilityID] = g
		for _, t := range s.o.Targets {
			if !s.lacks(w, a, g, t, heal) {
				continue
			}
			made, err := s.replace(ctx, w, a, t, forTarget(t, b, a.Manifest))
			rows = append(rows, made...)
			for _, r := range made {
				w.ledger[r.Path] = r
			}
			if err != nil {
				s.o.Log.Warn("an ability could not be put into a target", "ability_id", a.AbilityID, "target", t.Name, "code", fault.CodeOf(err))
				continue
			}
			g.copies[t.Name] = place{true, a.ApprovedHash}
		}
	}
	return rows
}

// lacks reports whether a copy must be written into the target: there is none and nobody deleted it, it stands for
// something other than what is approved now, or its form may differ from what the target reads.
func (s *projector) lacks(w *world, a Ability, g sight, t Target, heal string) bool {
	if s.left || a.BuiltIn || !t.copied(a.Permissions) {
		return false
	}
	p, there := g.copies[t.Name]
	row, known := w.ledger[t.path(a.Slug)]
	if there {
		return p.hash != a.ApprovedHash || row.Source == ""
	}
	return !g.foreign[t.Name] && (!known || heal == a.AbilityID)
}

// source reads the approved bundle. A missing canonical folder is restored from what was kept at approval, or from an
// intact copy.
func (s *projector) source(ctx context.Context, w *world, a Ability, g sight) (skill.Bundle, error) {
	b, err := s.approved(ctx, w, a, g)
	if err != nil {
		return b, err
	}
	if b.Hash() != a.ApprovedHash {
		return b, fault.New(fault.ContentHashMismatch, "the files changed while they were read")
	}
	if !g.bundle.there {
		if err := put(s.bundlePath(a.Slug), s.o.NewID(), b, false); err != nil {
			return b, err
		}
	}
	return b, nil
}

func (s *projector) approved(ctx context.Context, w *world, a Ability, g sight) (skill.Bundle, error) {
	if g.bundle.there {
		return skill.ReadDir(s.bundlePath(a.Slug))
	}
	if kept, ok, err := s.content(ctx, a.AbilityID); err != nil || ok && kept.Hash == a.ApprovedHash {
		return kept.Bundle, err
	}
	for _, t := range s.o.Targets {
		if path := t.path(a.Slug); g.copies[t.Name].hash == a.ApprovedHash && w.ledger[path].Hash == a.ApprovedHash {
			return skill.ReadDir(path)
		}
	}
	return skill.Bundle{}, fault.New(fault.NotFound, "no intact copy is left")
}

// replace writes one copy where there is none or an outdated one of ours.
func (s *projector) replace(ctx context.Context, w *world, a Ability, t Target, b skill.Bundle) ([]LedgerEntry, error) {
	path := t.path(a.Slug)
	if _, ours := w.seen[a.AbilityID].copies[t.Name]; ours {
		if _, err := takeAway(path, w.ledger[path].Hash, s.o.NewID(), s.asidePath(a.Slug, t.Name)); err != nil {
			return nil, err
		}
		delete(w.seen[a.AbilityID].copies, t.Name)
	}
	return s.project(ctx, a, t, b)
}

// project writes one read-only copy and returns its ledger rows.
func (s *projector) project(ctx context.Context, a Ability, t Target, b skill.Bundle) ([]LedgerEntry, error) {
	row := LedgerEntry{Path: t.path(a.Slug), Kind: PathCopy, Target: t.Name, AbilityID: a.AbilityID, SagaID: s.o.NewID(),
		Hash: b.Hash(), Source: a.ApprovedHash, State: PathPlanned, CreatedAt: s.now()}
	dirs, err := makeDirs(t.Dir)
	rows := s.madeDirs(t, dirs)
	if err != nil {
		return rows, err
	}
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		for _, r := range append(rows, row) {
			if err := tx.PutLedger(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return rows, err
	}
	if err := put(row.Path, row.SagaID, b, true); err != nil {
		undo := s.o.Store.Update(ctx, func(tx Tx) error { return tx.DeleteLedger(row.Path) })
		return rows, errors.Join(err, undo)
	}
	row.State = PathPresent
	return append(rows, row), nil
}

func (s *projector) madeDirs(t Target, dirs []string) []LedgerEntry {
	var rows []LedgerEntry
	for _, d := range dirs {
		rows = append(rows, LedgerEntry{Path: d, Kind: PathFolder, Target: t.Name, State: PathPresent, CreatedAt: s.now()})
	}
	return rows
}

// unwanted lists the ledger's folders that do not belong where they are: copies of abilities that are not usable,
// everything of deleted abilities, and copies in folders that are no longer targets or whose agent the ability is not
// approved for.
func (s *projector) unwanted(w *world) []LedgerEntry {
	var out []LedgerEntry
	for path, r := range w.ledger {
		i := slices.IndexFunc(w.abilities, func(a Ability) bool { return a.AbilityID == r.AbilityID })
		keep := i >= 0 && (r.Kind == PathBundle || wanted(w.abilities[i]) && s.belongs(path, w.abilities[i]))
		if r.Kind != PathFolder && !keep {
			out = append(out, r)
		}
	}
	return out
}

// withdraw removes unwanted folders from disk and ledger.
func (s *projector) withdraw(ctx context.Context, w *world) error {
	var gone []string
	var failed error
	for _, r := range s.unwanted(w) {
		if r.State == PathPlanned && !r.owns(s.hashes.look(r.Path)) {
			gone = append(gone, r.Path) // it was never written
			continue
		}
		kept, err := takeAway(r.Path, r.Hash, s.o.NewID(), s.asidePath(filepath.Base(r.Path), where(r)))
		if err != nil {
			s.o.Log.Warn("an ability's folder could not be removed", "ability_id", r.AbilityID, "kind", r.Kind, "target", r.Target, "code",
				fault.CodeOf(err))
			failed = err
			continue
		}
		s.hashes.forget(r.Path)
		gone = append(gone, r.Path)
		s.noteKept(w, r, kept)
	}
	if err := s.forget(ctx, w, gone); err != nil {
		return err
	}
	if failed != nil {
		return fault.Wrap(failed, fault.Internal, "the ability is switched off, but a copy of it could not be removed").
			WithHint("check the permissions of the agents' skill folders; Showhow tries again at its next start")
	}
	return nil
}

// forget removes paths from the ledger.
func (s *projector) forget(ctx context.Context, w *world, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		for _, p := range paths {
			if err := tx.DeleteLedger(p); err != nil {
				return err
			}
		}
		for _, a := range w.abilities {
			if w.kept[a.AbilityID] {
				if err := tx.PutAbility(a); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.kept = nil
	for _, p := range paths {
		delete(w.ledger, p)
	}
	return nil
}

// noteKept records where a changed copy was set aside, so that its diff can still be shown.
func (s *projector) noteKept(w *world, r LedgerEntry, kept string) {
	i := slices.IndexFunc(w.abilities, func(a Ability) bool { return a.AbilityID == r.AbilityID })
	if kept == "" || i < 0 || w.abilities[i].Drift != where(r) {
		return
	}
	w.abilities[i].DriftKept = kept
	if w.kept == nil {
		w.kept = map[string]bool{}
	}
	w.kept[r.AbilityID] = true
}

// belongs reports whether a path holds a copy of the ability.
func (s *projector) belongs(path string, a Ability) bool {
	return slices.ContainsFunc(s.o.Targets, func(t Target) bool { return !a.BuiltIn && t.path(a.Slug) == path && t.copied(a.Permissions) })
}

// putContent writes the approved content into the canonical folder.
func (s *projector) putContent(a Ability, c Content) error {
	path := s.bundlePath(a.Slug)
	defer s.hashes.forget(path)
	if p := s.hashes.look(path); p.there {
		if p.hash == c.Hash {
			return nil
		}
		if _, err := keepAside(path, s.asidePath(a.Slug, "bundle")); err != nil {
			return err
		}
	}
	if err := makeParent(path); err != nil {
		return err
	}
	return put(path, s.o.NewID(), c.Bundle, false)
}

func makeParent(path string) error {
	_, err := makeDirs(filepath.Dir(path))
	return err
}

// removeMadeDirs removes folders that were made for a target, innermost first, unless they are in use by now.
func (s *projector) removeMadeDirs(made []LedgerEntry) {
	for _, r := range slices.Backward(made) {
		_ = os.Remove(r.Path) // which refuses a folder that is not empty
	}
}

// giveBack returns the original folders that a removed ability had replaced. What somebody put there meanwhile stays,
// and so does what was set aside.
func (s *projector) giveBack(a Ability) {
	for _, o := range a.SetAside {
		i := slices.IndexFunc(s.o.Targets, func(t Target) bool { return t.Name == o.Target })
		if i < 0 {
			continue
		}
		path := s.o.Targets[i].path(a.Slug)
		if b, err := readNative(o.Kept); err != nil || b.Hash() != o.Hash || exists(path) {
			continue
		}
		if _, err := keepAside(o.Kept, path); err != nil {
			s.o.Log.Warn("a folder that was set aside could not be put back", "target", o.Target, "code", string(fault.CodeOf(err)))
		}
		s.hashes.forget(path)
	}
}

// sweep removes half-written and half-removed folders, recognised by their hidden names.
func (s *projector) sweep() {
	dirs := []string{filepath.Dir(s.bundlePath("x"))}
	for _, t := range s.o.Targets {
		dirs = append(dirs, t.Dir)
	}
	for _, d := range dirs {
		for _, role := range []string{"new", "old"} {
			left, _ := filepath.Glob(filepath.Join(d, ".showhow-"+role+"-*"))
			for _, p := range left {
				_ = removeAll(p)
			}
		}
	}
}
