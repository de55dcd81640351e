package drafting

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile"
	decisions "showhow/daemon/compile/decision"
	"showhow/daemon/compile/revise"
	"showhow/daemon/learn/state"
	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// draft is the result of one compilation before it is stored.
type draft struct {
	t            target
	out          compile.Output
	number       int
	cause        string
	instructions string
	edits        map[string]any // all so far
	changed      []string       // names edited now
	changes      []string       // the differences from the revision before, or from the improved skill
	hash         string
	folder       string // relative to the memory root
	proposalID   string
	traces       []string
	adapters     []string // kinds that saw something
	ask          bool     // questions come first: nothing is drafted yet
}

// compile reads the demonstrations, opens the sealed values in memory, compiles, and writes the draft's files. Files
// come first: a stored draft can always be read, and files without a stored draft are swept at the next start.
func (s *Service) compile(ctx context.Context, t target, cause string, edits map[string]any, instructions string) (draft, error) {
	in, base, before, err := s.prepare(ctx, t)
	if err != nil {
		return draft{}, err
	}
	d := draft{t: t, number: t.prop.Revision + 1, cause: cause, instructions: instructions, changed: slices.Sorted(maps.Keys(edits)),
		ask: t.root.AskBeforeBuild && t.prop.ProposalID == ""}
	d.noteEvidence(in.Traces)
	d.edits = decisions.MergeEdits(base, edits)
	in.Edits, in.Revision = d.edits, d.number
	if d.out, err = s.d.Compile(in); err != nil {
		return draft{}, err
	}
	d.identify(s.d.NewID, in)
	if before.Title != "" {
		d.changes = revise.Difference(before, d.out)
	}
	d.hash = d.out.Bundle.Hash()
	d.folder = path.Join("system/learning/proposals", d.proposalID, fmt.Sprintf("r%d", d.number), d.out.Slug)
	if d.ask {
		return d, nil
	}
	return d, s.writeDraft(d.folder, d.out.Bundle)
}

// prepare returns the compiler's input without its edits, the edits made so far, and the output that the new draft is compared with.
func (s *Service) prepare(ctx context.Context, t target) (in compile.Input, base map[string]any, before compile.Output, err error) {
	if t.root.SplitFrom != nil {
		return s.preparePart(ctx, t)
	}
	if in, err = s.input(ctx, t); err != nil {
		return in, nil, before, err
	}
	base, before = t.rev.Edits, t.rev.Output
	better, err := s.improves(ctx, t)
	if err != nil || better.Slug == "" {
		return in, base, before, err
	}
	if err := s.joinTo(ctx, t, better, &in); err != nil {
		return in, nil, before, err
	}
	if !t.drafted() && better.Rev.Number > 0 {
		before = better.Rev.Output
		if len(better.Members) > 0 {
			base = better.Rev.Edits
		}
	}
	return in, base, before, nil
}

// noteEvidence notes which demonstrations and adapters the draft is based on.
func (d *draft) noteEvidence(traces []compile.Trace) {
	for _, tr := range traces {
		d.traces = append(d.traces, tr.TraceID)
		for _, r := range tr.Records {
			if r.Action.Verb == capture.FileChange {
				continue // an effect: repeating the work needs no watched folder
			}
			if k := string(r.Event.AdapterKind); !slices.Contains(d.adapters, k) {
				d.adapters = append(d.adapters, k)
			}
		}
	}
	slices.Sort(d.adapters)
}

// input collects everything that the compilation of t depends on.
func (s *Service) input(ctx context.Context, t target) (compile.Input, error) {
	in := compile.Input{Goal: t.root.Goal, EntryMode: string(t.root.EntryMode), ExecutionMode: string(t.root.ExecutionMode),
		Answers: t.answers, Anchors: t.rev.Output.Anchors, TakenSlugs: t.slugs, ImprovesSlug: t.root.TargetSkillID, Now: s.d.Changes.Now(),
		NewID: s.d.NewID}
	for _, m := range t.members {
		trace, err := s.d.Query.Demonstration(ctx, m)
		if err != nil {
			return in, err
		}
		if len(trace.Records) > 0 {
			in.Traces = append(in.Traces, trace)
		}
	}
	if len(in.Traces) == 0 {
		return in, fault.New(fault.InsufficientTraces, "nothing was kept that a skill could be made of").
			WithHint(whyNothing(t.root))
	}
	values, err := s.d.Observations.Open(ctx, t.root.TargetID)
	in.Values = values
	return in, err
}

// whyNothing says what to do about an empty demonstration.
func whyNothing(sess state.Session) string {
	switch {
	case sess.RawPurgedAt != nil:
		return "its raw observations have been purged: `showhow learn cancel`, then demonstrate it again"
	case sess.Scope.Empty():
		return "the scope names nothing: allow the apps, sites or shells the task needs and demonstrate it again, after `showhow learn cancel`"
	case len(sess.Withheld) > 0:
		return "everything was withheld: `showhow learn scope` says why; `showhow learn cancel`, then begin anew with what the task needs"
	}
	return "`showhow learn cancel`, then begin anew and do the task while it is watched"
}

// describe copies the compiler's interpretation to the proposal.
func (d draft) describe(p *state.Proposal) {
	o := d.out
	p.Title, p.ProposedSkillSlug = plain.Clip(o.Title, 160), plain.Clip(o.Slug, 120)
	p.TriggerPhrases, p.NegativeTriggers = o.TriggerPhrases, o.NegativeTriggers
	p.PrimaryCapabilityID, p.SourceTraceIDs = o.CapabilityID, d.traces
	if d.ask {
		return
	}
	p.DraftSkillPath = path.Join(d.folder, skill.Entry)
	p.DraftManifestPath = path.Join(d.folder, manifestPath(o.Bundle))
	p.DraftGraphRef = fmt.Sprintf("proposal:%s/r%d/graph", d.proposalID, d.number)
}

// manifestPath is the path of the capability manifest in the bundle.
func manifestPath(b skill.Bundle) string {
	for _, f := range b.Files {
		if strings.HasPrefix(f.Path, "capabilities/") && strings.HasSuffix(f.Path, ".json") {
			return f.Path
		}
	}
	return "capabilities"
}

func (d draft) revision(now clock.Time) state.Revision {
	return state.Revision{ProposalID: d.proposalID, Number: d.number, Cause: d.cause, Instructions: d.instructions, Edits: d.edits,
		Changed: d.changed, Changes: d.changes, ContentHash: d.hash, Folder: d.folder, Output: d.out,
		Adapters: d.adapters, CreatedAt: now}
}
