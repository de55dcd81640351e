package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// teller prints the story with the time of each stage.
type teller struct {
	out   io.Writer
	quiet bool
	start time.Time
}

func (t *teller) stage(what string) {
	if !t.quiet {
		fmt.Fprintf(t.out, "\n[%5.1f s] %s\n", time.Since(t.start).Seconds(), what)
	}
}

func (t *teller) line(format string, args ...any) {
	if !t.quiet {
		fmt.Fprintf(t.out, "    "+format+"\n", args...)
	}
}

func (r *run) printSkill() {
	b, err := os.ReadFile(filepath.Join(r.result.SkillDir, "SKILL.md"))
	if err != nil {
		return
	}
	rule := strings.Repeat("-", 100)
	fmt.Fprintf(r.Out, "\n%s\n%s\n%s\n", rule, strings.TrimSpace(string(b)), rule)
	fmt.Fprintf(r.Out, "The skill: %s\nDone in %.1f s: %d observations became a skill with %d checkpoints.\n", r.result.SkillDir,
		r.result.Seconds, r.result.Kept, r.result.Checkpoints)
}

func (r *run) printJSON() {
	b, _ := json.MarshalIndent(r.result, "", "  ")
	fmt.Fprintln(r.Out, string(b))
}

// tidy removes everything but the first target's copy of the skill.
func (r *run) tidy() {
	keep := r.result.SkillDir
	filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if path == keep {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			os.Remove(path)
		}
		return nil
	})
	removeEmpty(r.dir, keep)
}

// removeEmpty removes empty folders below dir, deepest first.
func removeEmpty(dir, keep string) {
	entries, err := os.ReadDir(dir)
	if err != nil || dir == keep {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			removeEmpty(filepath.Join(dir, e.Name()), keep)
		}
	}
	os.Remove(dir) // fails, as it should, when something is left
}
