package mining

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/mining/routine"
	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// finding is a routine with the marks that it is made of.
type finding struct {
	r     routine.Routine
	works []Work
	occ   []occurrence
}

type occurrence struct {
	work   int
	marks  []Mark
	failed bool
}

// sample is a mark of a place, from which its words are taken.
func (f *finding) sample(p routine.Place) Mark {
	for _, o := range f.occ {
		for _, m := range o.marks {
			s := m.step("")
			if s.App == p.App && s.Kind == p.Kind && (p.Target == "" || s.Target == p.Target || routine.Masked(s.Target) == p.Target) {
				return m
			}
		}
	}
	return Mark{Where: p.App, Verb: p.Kind}
}

// candidate describes and judges a finding.
func (f *finding) candidate(set Settings, blocked []string) Stored {
	c := Stored{Signature: signature(f.r), Sources: f.sources()}
	r := Routine{Times: len(f.occ), Steps: f.steps(), Varied: f.varied(), Indicators: []string{}, Concerns: []string{}, SchemaVersion: 1}
	cl := wire.WorkflowTraceCluster{VariationScore: f.r.Variation, VerificationCoverageScore: f.r.Coverage, SchemaVersion: 1,
		SuccessfulTraceIDs: []string{}, FailedTraceIDs: []string{}, DominantControlSurfaces: f.surfaces(), ProjectSpecificity: f.project(),
		AppFamily: f.app(), SourceMode: "user_guided"}
	for _, s := range c.Sources {
		if s.Failed {
			cl.FailedTraceIDs = append(cl.FailedTraceIDs, s.ID)
		} else {
			cl.SuccessfulTraceIDs = append(cl.SuccessfulTraceIDs, s.ID)
		}
	}
	in := f.in()
	r.Own = true
	for _, i := range in {
		w := f.works[i]
		r.Learnable = r.Learnable || w.Kept && w.Kind != Receipts
		if w.Agent != "" {
			r.Own, cl.SourceMode = false, "agent_observed"
			if !slices.Contains(r.Agents, w.Agent) {
				r.Agents = append(r.Agents, w.Agent)
			}
		}
	}
	slices.Sort(r.Agents)
	r.LastAt = lastAt(f.works, in)
	goals := f.goals()
	cl.NormalizedGoal = f.goal(goals)
	r.Cluster = cl
	r.Summary = f.summary(r)
	r.Gates = f.gates(set, cl, blocked)
	r.Indicators, r.Concerns = f.indicators(cl, goals)
	r.Ambiguous = len(goals) > 1 || len(goals) == 0 && !f.named()
	r.Questions = questions(set, r, slices.ContainsFunc(f.occ, func(o occurrence) bool {
		return slices.ContainsFunc(o.marks, func(m Mark) bool { return m.Grave })
	}))
	r.State = Waiting
	if slices.ContainsFunc(r.Gates, func(g Gate) bool { return !g.Passed }) {
		r.State = HeldBack
	}
	c.Routine = r
	return c
}

// in lists the works in which it occurred, in order.
func (f *finding) in() (out []int) {
	for _, o := range f.occ {
		if !slices.Contains(out, o.work) {
			out = append(out, o.work)
		}
	}
	return out
}

// sources returns where it occurred: of each work the last successful occurrence, or else the last.
func (f *finding) sources() []Ref {
	out := []Ref{}
	for _, i := range f.in() {
		w := f.works[i]
		ref := Ref{Kind: w.Kind, ID: w.ID, Trace: w.Trace, Failed: true}
		for _, o := range f.occ {
			if o.work == i && (!o.failed || ref.Failed) {
				ref.From, ref.To, ref.Failed = o.marks[0].Record, o.marks[len(o.marks)-1].Record, o.failed
			}
		}
		out = append(out, ref)
	}
	return out
}

func (f *finding) app() string {
	n := map[string]int{}
	for _, p := range f.r.Places {
		n[p.App] += p.In
	}
	return plain.Clip(most(n), 80)
}

// most is the key with the largest count, the first of several.
func most(n map[string]int) string {
	best := ""
	for _, k := range slices.Sorted(maps.Keys(n)) {
		if best == "" || n[k] > n[best] {
			best = k
		}
	}
	return best
}

func (f *finding) surfaces() []string {
	n := map[string]int{}
	for _, o := range f.occ {
		for _, m := range o.marks {
			if m.Surface != "" {
				n[m.Surface]++
			}
		}
	}
	out := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(n[b]-n[a], strings.Compare(a, b)) })
	if out == nil {
		out = []string{}
	}
	return out[:min(len(out), 3)]
}

// project returns the project that all occurrences belong to, if there is one.
func (f *finding) project() string {
	ps := map[string]bool{}
	for _, i := range f.in() {
		ps[f.works[i].Project] = true
	}
	switch {
	case len(ps) > 1:
		return "global"
	case ps[""]:
		return "unclear"
	}
	return "project_scoped"
}

// goals lists the person's names for the works, each once.
func (f *finding) goals() (out []string) {
	for _, i := range f.in() {
		if g := strings.TrimSpace(f.works[i].Goal); g != "" && !slices.ContainsFunc(out, func(x string) bool { return strings.EqualFold(x, g) }) {
			out = append(out, g)
		}
	}
	return out
}

// goal is the common name of all works, or else the last step that acts.
func (f *finding) goal(goals []string) string {
	if len(goals) == 1 {
		return plain.Clip(goals[0], 240)
	}
	for i := len(f.r.Places) - 1; i >= 0; i-- {
		if p := f.r.Places[i]; p.Value == "" && p.Target != "" && 2*p.In >= len(f.occ) {
			return plain.Clip(f.sample(p).said(p.Target)+" ("+p.App+")", 240)
		}
	}
	return plain.Clip("Something in "+f.app(), 240)
}

// named reports whether its steps have meaningful targets.
func (f *finding) named() bool {
	n, all := 0, 0
	for _, p := range f.r.Places {
		if 2*p.In >= len(f.occ) {
			all++
			if p.Target != "" {
				n++
			}
		}
	}
	return 2*n >= all && n >= 2
}

func (f *finding) steps() []wire.MinedStep {
	out := []wire.MinedStep{}
	for _, p := range f.r.Places {
		out = append(out, wire.MinedStep{Text: f.sample(p).said(p.Target), App: plain.Clip(p.App, 160), Times: p.In, Varied: f.variance(p)})
	}
	return out
}

// variance describes what of a step varied.
func (f *finding) variance(p routine.Place) string {
	var out []string
	if p.Value != "" {
		out = append(out, "a "+valueWord(p.Value)+" each time")
	}
	if p.Targets > 1 {
		out = append(out, fmt.Sprintf("%d different ones", p.Targets))
	}
	if p.In < len(f.occ) {
		out = append(out, fmt.Sprintf("only %d of %d times", p.In, len(f.occ)))
	}
	if p.Again > 0 {
		out = append(out, fmt.Sprintf("more than once in %d", p.Again))
	}
	if 3*p.Moved > p.In {
		out = append(out, "not always at the same place")
	}
	return plain.Clip(strings.Join(out, ", "), 240)
}

func valueWord(kind string) string {
	switch capture.ValueKind(kind) {
	case capture.KindText, capture.KindNumber, capture.KindDate, capture.KindChoice, capture.KindFile:
		return kind
	}
	return "value"
}

func (f *finding) varied() []string {
	out := []string{}
	for _, p := range f.r.Places {
		if v := f.variance(p); v != "" {
			out = append(out, plain.Clip(f.sample(p).said(p.Target)+": "+v, 240))
		}
	}
	return out
}

// summary describes the routine for a person.
func (f *finding) summary(r Routine) string {
	who := "You"
	if !r.Own {
		who = strings.Join(r.Agents, " and ")
	}
	var steps []string
	for i, p := range f.r.Places {
		if 2*p.In >= len(f.occ) {
			steps = append(steps, lowered(f.sample(p).said(p.Target)))
		}
		if len(steps) == 5 && i+1 < len(f.r.Places) {
			steps = append(steps, "...")
			break
		}
	}
	return plain.Clip(fmt.Sprintf("%s did this %d times: %s", who, r.Times, strings.Join(steps, ", ")), 400)
}

func lowered(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}
