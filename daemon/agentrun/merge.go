package agentrun

import (
	"maps"
	"slices"

	"showhow/daemon/skill"
)

// merged is a skill after a run: the agent's changes applied to what is installed by now.
type merged struct {
	files                   []skill.File
	added, changed, deleted []string
	conflicts               []string // changed by the agent and, differently, elsewhere in the meantime
}

func (m merged) nothing() bool { return len(m.added)+len(m.changed)+len(m.deleted) == 0 }

// merge is a three-way merge, file by file: base is what the agent was given, mine what it left, theirs what is
// installed now. A file that the agent did not touch stays as it is now.
func merge(base baseline, mine, theirs []skill.File) merged {
	my, their := byPath(mine), byPath(theirs)
	paths := map[string]bool{}
	for p := range base {
		paths[p] = true
	}
	for _, side := range []map[string]skill.File{my, their} {
		for p := range side {
			paths[p] = true
		}
	}
	var m merged
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		was := base[p]
		is, here := sumOf(my, p)
		now, there := sumOf(their, p)
		switch {
		case is == was || is == now || !skill.Allowed(p) || never(p): // untouched by the agent, or both did the same
			if there {
				m.files = append(m.files, their[p])
			}
		case now != was:
			m.conflicts = append(m.conflicts, p)
		default:
			m.note(p, was != "", here)
			if here {
				m.files = append(m.files, my[p])
			}
		}
	}
	return m
}

func (m *merged) note(p string, was, is bool) {
	switch {
	case !was:
		m.added = append(m.added, p)
	case is:
		m.changed = append(m.changed, p)
	default:
		m.deleted = append(m.deleted, p)
	}
}

func byPath(files []skill.File) map[string]skill.File {
	out := map[string]skill.File{}
	for _, f := range files {
		out[f.Path] = f
	}
	return out
}

// sumOf is "" for a missing file.
func sumOf(files map[string]skill.File, p string) (sum string, ok bool) {
	f, ok := files[p]
	if !ok {
		return "", false
	}
	return fileDigest(f), true
}
