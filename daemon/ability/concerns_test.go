package ability

import "testing"

// A folder that is not there yet is waited for in the one above it, where most changes are somebody else's.
func TestOnlyWhatConcernsSkillsIsLookedAt(t *testing.T) {
	w := sentry{places: []string{"/home/ada/.claude/skills", "/data/bundles/"}}
	for path, want := range map[string]bool{
		"/home/ada/.claude":                      true, // on the way
		"/home/ada/.claude/skills":               true,
		"/home/ada/.claude/skills/mail/SKILL.md": true,
		"/home/ada":                              true, // the watched folder itself: it may be gone
		"/home/Ada/.Claude/Skills/x":             true, // of a file system that ignores case
		"/data/bundles":                          true,
		"/data/bundles/mail":                     true,
		"/home/ada/notes.txt":                    false,
		"/home/ada/.claude/settings.json":        false,
		"/home/ada/.claude-skills":               false,
		"/home/ada/.claude/skills2":              false,
		"/data/runtime/current.json":             false,
	} {
		if got := w.concerns(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
