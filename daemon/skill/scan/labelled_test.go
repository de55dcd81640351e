package scan

import (
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture/redact"
	"showhow/daemon/skill/scan/report"
)

// labelled is one bundle of the set: family.evil.name.txtar or family.fine.name.txtar. A file named "x (escaped)" has \u{...}
// for what is invisible, "x (base64)" holds bytes, so that nothing in the tree is what it shows.
type labelled struct {
	family, name string
	evil         bool
	fsys         fs.FS
}

func labels(t testing.TB, dir string) []labelled {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../testdata/bundles", dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no bundles in %s: %v", dir, err)
	}
	var out []labelled
	for _, p := range paths {
		parts := strings.SplitN(strings.TrimSuffix(filepath.Base(p), ".txtar"), ".", 3)
		data, err := os.ReadFile(p)
		if err != nil || len(parts) != 3 {
			t.Fatalf("%s: %v", p, err)
		}
		out = append(out, labelled{parts[0], parts[2], parts[1] == "evil", unfold(t, data)})
	}
	return out
}

var escapes = regexp.MustCompile(`\\u\{([0-9A-Fa-f]+)\}`)

func unfold(t testing.TB, data []byte) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	for _, f := range txtar.Parse(data).Files {
		name, body := f.Name, f.Data
		switch {
		case strings.HasSuffix(name, " (base64)"):
			b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(body)), ""))
			if err != nil {
				t.Fatal(err)
			}
			name, body = strings.TrimSuffix(name, " (base64)"), b
		case strings.HasSuffix(name, " (escaped)"):
			body = escapes.ReplaceAllFunc(body, func(m []byte) []byte {
				n, _ := strconv.ParseInt(string(m[3:len(m)-1]), 16, 32)
				return []byte(string(rune(n)))
			})
			name = strings.TrimSuffix(name, " (escaped)")
		}
		out[name] = &fstest.MapFile{Data: body, Mode: 0o644}
	}
	return out
}

func rules(t testing.TB) *redact.Redactor {
	t.Helper()
	r, err := redact.Load()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// score is how a set of bundles fares.
type score struct {
	evil, caught, flagged int // flagged: for review with a finding that asks for judgement
	fine, blocked, review int
}

func (s score) recall() float64 { return float64(s.caught) / float64(max(1, s.evil)) }

func (s score) wrong() float64 { return float64(s.blocked) / float64(max(1, s.fine)) }

func judgeSet(t testing.TB, r *redact.Redactor, dir string) (score, string) {
	t.Helper()
	var all score
	families := map[string]*score{}
	for _, l := range labels(t, dir) {
		found, err := Bundle(context.Background(), l.fsys, Options{Redactor: r})
		if err != nil {
			t.Fatal(err)
		}
		rep := told{found}
		f := families[l.family]
		if f == nil {
			f = &score{}
			families[l.family] = f
		}
		for _, s := range []*score{f, &all} {
			switch {
			case l.evil:
				s.evil++
				switch {
				case rep.Count(report.High) > 0:
					s.caught++
				case rep.AsksJudgement():
					s.flagged++
				}
			default:
				s.fine++
				if rep.Verdict == report.Blocked {
					s.blocked++
				}
				if rep.Verdict == report.Review && rep.AsksJudgement() {
					s.review++
				}
			}
		}
		if l.evil && rep.Count(report.High) == 0 || !l.evil && rep.Verdict != report.Clean {
			t.Logf("%s/%s evil=%v: %s", l.family, l.name, l.evil, rep.Verdict)
			for _, x := range rep.Findings {
				t.Logf("    %s %s %s:%d %s | %s", x.Severity, x.RuleID, x.File, x.Line, x.Meaning, x.Excerpt)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-16s %6s %6s %6s   %8s %7s %6s\n", dir, "evil", "caught", "review", "harmless", "blocked", "review")
	for _, name := range slices.Sorted(maps.Keys(families)) {
		f := families[name]
		fmt.Fprintf(&b, "%-16s %6d %6d %6d   %8d %7d %6d\n", name, f.evil, f.caught, f.flagged, f.fine, f.blocked, f.review)
	}
	fmt.Fprintf(&b, "%-16s %6d %6d %6d   %8d %7d %6d   recall %.3f, harmless blocked %.3f\n", "all", all.evil, all.caught, all.flagged,
		all.fine, all.blocked, all.review, all.recall(), all.wrong())
	return all, b.String()
}

// TestLabelled says that nothing gets lost that was once found. No rule was written from a set before its first run, on which
// these were caught: second 40 of 45 (2 of 25 harmless blocked), third, written to get past the rules, 9 of 22 (0 of 11),
// fourth 10 of 12 (1 of 9), fifth 20 of 32 (2 of 25), sixth 7 of 12 (1 of 8), seventh 9 of 12 (0 of 8), eighth 9 of 12 (0 of 12);
// and of attacks told in plain prose alone: ninth 13 of 40 (2 of 40), tenth 3 of 30 (0 of 30), fourteenth 13 of 40 (1 of 40).
func TestLabelled(t *testing.T) {
	r := rules(t)
	dirs, err := os.ReadDir("../testdata/bundles")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		t.Run(d.Name(), func(t *testing.T) {
			s, table := judgeSet(t, r, d.Name())
			t.Log(table)
			least := 0.9
			if x, ok := inWords[d.Name()]; ok {
				least = x
			}
			if s.recall() < least || float64(s.caught+s.flagged) < 0.9*float64(s.evil) || s.wrong() > 0.03 {
				t.Errorf("recall %.3f, harmless blocked %.3f", s.recall(), s.wrong())
			}
		})
	}
}

// inWords are the sets of attacks told in plain words alone, and how many of each are blocked at least; the others are for review, as one
// finding in prose is unless it conceals something from the user or sends what is theirs.
var inWords = map[string]float64{"ninth": 0.75, "tenth": 0.6, "twelfth": 0.33, "fourteenth": 0.5}

// TestUnmended measures on sets that the rules are not to be fitted to: 7 of 20, 3 of 30 and 18 of 20 were caught at the first run
// (the last by the lexicon that the same hand wrote next; the rules before it caught 6). They hold attacks told in plain prose, which is
// where the scanner is weakest; only the harmless ones bind.
func TestUnmended(t *testing.T) {
	for _, set := range []string{"eleventh", "thirteenth", "fifteenth"} {
		s, table := judgeSet(t, rules(t), "../unmended/"+set)
		t.Log(table)
		if s.blocked > 1 {
			t.Errorf("%s: harmless blocked %.3f", set, s.wrong())
		}
	}
}
