package ability

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/plain"
	"showhow/internal/regular"
)

// nativeSkill is a skill in a target's folder that Showhow did not put there (decisions C5): listed, never touched.
type nativeSkill struct {
	name, title, description string
	path                     string // of the first folder that holds it
	hash                     string // of its content; "" when it cannot be read whole
	problem                  string // why it is not a readable skill
	foundIn                  []string
	scan                     *ScanVerdict
	changed                  time.Time
	size                     int64
}

// nativeCache remembers parsed SKILL.md files by path, size and time.
type nativeCache struct {
	mu   sync.Mutex
	of   map[string]nativeSkill
	last []nativeSkill // what the last look found
}

func (c *nativeCache) all() []nativeSkill {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.last)
}

// natives lists the skills in the targets that are not Showhow's, with the scanner's verdicts.
type natives struct {
	*base
	cache     nativeCache
	verdicts  verdicts
	unscanned chan struct{} // wakes the scanner
	rescan    chan struct{} // to wake when the catalog has something new to say
}

func newNatives(b *base, rescan chan struct{}) *natives {
	return &natives{base: b, cache: nativeCache{of: map[string]nativeSkill{}}, verdicts: verdicts{of: map[string]ScanVerdict{}},
		unscanned: make(chan struct{}, 1), rescan: rescan}
}

const maxNativeBytes = 1 << 20

// find lists the skills in the targets that are not in the ledger, by name. Symlinked folders are followed: other
// installers make them.
func (s *natives) find(ledger map[string]LedgerEntry) []nativeSkill {
	byName := map[string]nativeSkill{}
	for _, t := range s.o.Targets {
		dirs, err := os.ReadDir(t.Dir)
		if err != nil {
			continue // no such agent here
		}
		for _, d := range dirs {
			path := filepath.Join(t.Dir, d.Name())
			if _, ours := ledger[path]; ours || strings.HasPrefix(d.Name(), ".") {
				continue
			}
			n, ok := s.cache.read(filepath.Join(path, skill.Entry), d.Name())
			if !ok {
				continue
			}
			if known, twice := byName[n.name]; twice {
				n = known
			} else {
				n.path, n.hash = path, s.nativeHash(path)
			}
			n.foundIn = append(slices.Clone(n.foundIn), t.Name)
			byName[n.name] = n
		}
	}
	out := make([]nativeSkill, 0, len(byName))
	for _, n := range byName {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b nativeSkill) int { return cmp.Compare(a.name, b.name) })
	s.cache.mu.Lock()
	s.cache.last = slices.Clone(out)
	s.cache.mu.Unlock()
	for i := range out {
		verdict, known := s.verdicts.get(out[i].hash)
		switch {
		case out[i].hash == "":
			verdict = ScanVerdict{Verdict: "unreadable", Worst: "it holds a link, a special file, or more than a skill may"}
		case s.o.Scan == nil:
			continue
		case !known:
			verdict = ScanVerdict{Verdict: "pending"}
			wake(s.unscanned)
		}
		out[i].scan = &verdict
	}
	return out
}

// nativeHash is the content hash of a folder that is not ours, symlinks followed.
func (s *natives) nativeHash(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return s.hashes.look(real).hash
}

func (c *nativeCache) read(path, name string) (nativeSkill, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nativeSkill{}, false
	}
	c.mu.Lock()
	known, ok := c.of[path]
	c.mu.Unlock()
	if ok && known.size == info.Size() && known.changed.Equal(info.ModTime()) {
		return known, true
	}
	n := nativeSkill{name: name, title: name, changed: info.ModTime(), size: info.Size()}
	n.parse(path)
	c.mu.Lock()
	c.of[path] = n
	c.mu.Unlock()
	return n, true
}

func (n *nativeSkill) parse(path string) {
	f, _, err := regular.Open(path)
	if err != nil {
		n.problem = "its SKILL.md cannot be read"
		return
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxNativeBytes))
	if err != nil {
		n.problem = "its SKILL.md cannot be read"
		return
	}
	doc, err := skill.ParseMarkdown(data)
	switch {
	case err != nil:
		n.problem = "its SKILL.md has no valid head"
	case doc.Name == "" || doc.Description == "":
		n.problem = "its SKILL.md names no name or no description"
	}
	if doc.Name != "" {
		n.title = plain.Cut(doc.Name, 200)
	}
	n.description = plain.Cut(doc.Description, 1024)
}

// entry is the catalog's line. Its id marks it as no ability: no other route accepts it.
func (n nativeSkill) entry() CatalogEntry {
	at := clock.At(n.changed)
	return CatalogEntry{AbilityID: plain.Cut("native:"+n.name, 160), Title: n.title, Description: n.description, Family: "native",
		Source:    "native",
		SkillSlug: plain.Cut(n.name, 120), InstallLane: LaneApproved, Enabled: true, UsableNow: n.problem == "", ReasonUnusable: n.problem,
		ReadOnly: true, Scan: n.scan, FoundIn: list(n.foundIn), Tags: []string{}, CategoryIDs: []string{}, CreatedAt: at, UpdatedAt: at,
		SchemaVersion: 1}
}
