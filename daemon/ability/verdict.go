package ability

import (
	"context"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
)

// Scanned is the part of the scanner's report that trust needs.
type Scanned struct {
	Verdict     ScanVerdict
	Permissions Permissions // what its text and scripts use
	Findings    []Finding   // those that want a person's eyes, gravest first
}

// Finding is one thing that the scanner found, and what it takes to trust a skill with it.
type Finding struct {
	wire.ScanFinding
	Blocks    bool // a person must accept it
	Instructs bool // a person must read it: it tells the agent something that only a reader can judge
}

// mark is what a finding has in common with itself in another version of the file, whose lines have moved.
type mark struct {
	rule, file, excerpt string
	severity            wire.Severity
}

// newFindings lists what scan finds in a content and not in the one that a person approved: trusting the content is a decision
// about these. approved may be empty, scan nil.
func newFindings(ctx context.Context, scan func(context.Context, skill.Bundle) (Scanned, error), now, approved skill.Bundle) ([]Finding,
	error) {
	if scan == nil {
		return nil, nil
	}
	is, err := scan(ctx, now)
	if err != nil || len(is.Findings) == 0 || len(approved.Files) == 0 {
		return is.Findings, err
	}
	was, err := scan(ctx, approved)
	if err != nil {
		return nil, err
	}
	known := map[mark]int{}
	for _, f := range was.Findings {
		known[f.mark()]++
	}
	out := []Finding{}
	for _, f := range is.Findings {
		if known[f.mark()]--; known[f.mark()] < 0 {
			out = append(out, f)
		}
	}
	return out, nil
}

func (f Finding) mark() mark { return mark{f.RuleID, f.File, f.Excerpt, f.Severity} }
