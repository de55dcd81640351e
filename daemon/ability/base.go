package ability

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"showhow/daemon/skill"
	"showhow/internal/clock"
)

// base is what every part of a Service shares: the options, the folder hashes, and the paths.
type base struct {
	o      Options
	hashes hashes
	// builtIns are the files of the skills that come with the program, by ability id. Recover sets it, before anybody reads.
	builtIns map[string]skill.Bundle
	probe    func(point string) error // tests only: fails or ends the process's work at a named point
}

func (s *base) now() clock.Time { return s.o.Now() }

func (s *base) at(point string) error {
	if s.probe == nil {
		return nil
	}
	return s.probe(point)
}

// bundlePath is the canonical folder of a slug.
func (s *base) bundlePath(slug string) string {
	return filepath.Join(s.o.MemoryRoot, "system", "learning", "installed", slug)
}

// asidePath is where a changed folder is kept when its path is needed.
func (s *base) asidePath(slug, where string) string {
	name := fmt.Sprintf("%s.%s.%s", slug, where, s.now().Format("20060102-150405"))
	return filepath.Join(s.o.MemoryRoot, "system", "learning", "set-aside", name)
}

// content returns the content approved last, if it is kept and intact.
func (s *base) content(ctx context.Context, id string) (c Content, ok bool, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { c, ok, err = tx.Content(id); return err })
	return c, ok && c.Bundle.Hash() == c.Hash, err
}

// written is what belongs into a place: the skill itself, or its form for the target that owns the folder.
func (s *base) written(target string, b skill.Bundle, m skill.Manifest) skill.Bundle {
	i := slices.IndexFunc(s.o.Targets, func(t Target) bool { return t.Name == target })
	if i < 0 {
		return b
	}
	return forTarget(s.o.Targets[i], b, m)
}

// files reads an ability's files as they are now.
func (s *base) files(id, slug string) (skill.Bundle, error) {
	if b, ok := s.builtIns[id]; ok {
		return b, nil
	}
	return skill.ReadDir(s.bundlePath(slug))
}
