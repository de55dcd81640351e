package own_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"showhow/daemon/connector/door"
	"showhow/daemon/imports"
	"showhow/daemon/mcp/own"
	"showhow/daemon/mcp/question"
	"showhow/daemon/skill/scan"
	"showhow/internal/fault"
)

// proposer is an agent that proposes skills to a real service of imports, whose scanner a test can break.
type proposer struct {
	h       *house
	imports *imports.Service
	broken  atomic.Bool
	house   *own.House
}

func newProposer(t *testing.T) *proposer {
	t.Helper()
	p := &proposer{h: newHouse(t)}
	p.imports = imports.New(imports.Options{Store: p.h.db.Imports(), Dir: filepath.Join(p.h.dir, "imports"), Installer: p.h.abilities,
		Scan: func(context.Context, fs.FS, string) (scan.Report, error) {
			if p.broken.Load() {
				return scan.Report{}, errors.New("the scanner fails")
			}
			return scan.Report{Verdict: "clean"}, nil
		}})
	p.h.ok(p.imports.Recover(t.Context()))
	p.house = own.New(own.Options{Abilities: p.h.abilities, Imports: p.imports, Questions: question.New(question.Options{})})
	return p
}

// propose proposes a skill with one more file and returns the refusal's text, "" when it waits for the person.
func (p *proposer) propose(name, text string) string { return p.proposeAs("scout", name, text) }

func (p *proposer) proposeAs(agent, name, text string) string {
	args := fmt.Sprintf(`{"name": %q, "skill_md": "---\nname: %s\ndescription: d\n---\n", "why": "w",
		"files": [{"path": "references/more.md", "text": %q}]}`, name, name, text)
	res, _ := p.house.Call(p.h.t.Context(), door.Guest{Agent: agent, Names: []string{agent}, Reporter: "r"}, nil, "propose_skill",
		[]byte(args))
	if !res.IsError {
		return ""
	}
	b, _ := json.Marshal(res)
	return string(b)
}

func TestProposalsThatFailedDoNotCount(t *testing.T) {
	t.Parallel()
	p := newProposer(t)
	p.broken.Store(true)
	for i := range 10 {
		if got := p.propose(fmt.Sprintf("broken-%d", i), "x"); got == "" || strings.Contains(got, string(fault.TooManyRequests)) {
			t.Fatalf("%d: %q", i, got)
		}
	}
	p.broken.Store(false)
	if got := p.propose("fine", "x"); got != "" {
		t.Errorf("ten scans failed, and nothing can be proposed: %s", got)
	}
}

func TestProposalsAtOnce(t *testing.T) {
	t.Parallel()
	p := newProposer(t)
	var waiting atomic.Int64
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if got := p.propose(fmt.Sprintf("skill-%d", i), "x"); got == "" {
				waiting.Add(1)
			} else if !strings.Contains(got, string(fault.TooManyRequests)) {
				t.Error(got)
			}
		})
	}
	all.Wait()
	if n := waiting.Load(); n != 10 {
		t.Errorf("%d proposals wait", n)
	}
}

// Callers from elsewhere leave the agents of this computer their places, and the other way round.
func TestProposalsFromElsewhereHavePlacesOfTheirOwn(t *testing.T) {
	t.Parallel()
	p := newProposer(t)
	count := func(n int, agent, prefix string) (done int) {
		for i := range n {
			if got := p.proposeAs(agent, fmt.Sprintf("%s-%d", prefix, i), "x"); got == "" {
				done++
			} else if !strings.Contains(got, string(fault.TooManyRequests)) {
				t.Error(got)
			}
		}
		return done
	}
	afar, more, here := count(5, "remote/a", "a"), count(1, "remote/b", "b"), count(11, "codex", "c")
	if afar != 4 || more != 0 || here != 10 {
		t.Errorf("%d and %d from elsewhere, %d from here", afar, more, here)
	}
}

func TestAProposedFileIsBounded(t *testing.T) {
	t.Parallel()
	p := newProposer(t)
	if got := p.propose("large", strings.Repeat("x", 200_001)); !strings.Contains(got, string(fault.InvalidRequest)) ||
		!strings.Contains(got, "files is not") {
		t.Errorf("%.300s", got)
	}
	if got := p.propose("empty", ""); got != "" {
		t.Error(got)
	}
}
