package compile

import (
	"fmt"
	"slices"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Compile turns demonstrations into a draft. Everything it makes of the same input is the same, ids and times excepted, and
// those come from Input. A trace without anything usable still gives a draft, whose verdict says why it cannot become a
// skill; the only errors are edits that are not understood and a missing trace.
func Compile(in Input) (Output, error) {
	if len(in.Traces) == 0 {
		return Output{}, fault.New(fault.InsufficientTraces, "there is nothing to learn from: no demonstration was given")
	}
	if err := CheckEdits(in.Edits); err != nil {
		return Output{}, err
	}
	in.Answers = in.withEdited()
	if in.NewID == nil {
		in.NewID = clock.NewID
	}
	d, err := understand(in)
	if err != nil {
		return Output{}, err
	}
	m := manifest(d)
	bundle, err := buildBundle(d, m)
	if err != nil {
		return Output{}, err
	}
	graph := exportGraph(d)
	return Output{
		Title: d.title, Slug: d.slug, TriggerPhrases: orEmpty(d.phrases.triggers), NegativeTriggers: orEmpty(d.phrases.negatives), Generated: orEmpty(d.phrases.generated),
		CapabilityID: m.CapabilityID, Family: d.places.family(), RequiredSites: orEmpty(d.places.sites), RequiredCommands: orEmpty(d.places.commands), RequiredAdapters: orEmpty(d.places.adapters()),
		Graph: graph, Interpretation: d.interp, Questions: ask(d), Lint: Lint(graph, d.interp, bundle, d.forbidden()), Verdict: d.verdict,
		Manifest: m, Metadata: metadata(d), Bundle: bundle, LeftOut: orEmpty(d.leftOut), Anchors: d.study.ids.given,
	}, nil
}

// understand is the chain: normalise, align, loops, values, graph, segments, checkpoints, meaning.
func understand(in Input) (*draft, error) {
	traces := make([]normalised, len(in.Traces))
	acts := make([][]*act, len(in.Traces))
	for t, trace := range in.Traces {
		trace.Records = plainAddresses(trace.Records, in.Values)
		traces[t] = normalise(trace)
		acts[t] = collapse(traces[t].acts)
	}
	cols := align(acts)
	study := findParams(in, traces, cols, findLoops(cols))
	decide(in, study.params)

	d := &draft{in: in, study: study, names: newNames(study.params)}
	var err error
	if d.steps, err = buildGraph(study, d.names); err != nil {
		return nil, err
	}
	d.keepPart()
	d.segs = cutSegments(d.steps)
	d.cps = editCheckpointList(d.verified(choose(mine(study, d.names, d.segs), in.ExecutionMode, study.ids)), edited{in.Edits})
	cover(d.steps, d.cps)

	d.places = findPlaces(d.steps, traces, d.names)
	d.names.folder = d.places.folder
	d.goal = readGoal(goalOf(in), d.withoutValues)
	for t, tr := range traces {
		for _, note := range tr.notes {
			d.remarks = append(d.remarks, d.names.prose(study.gens[t].text(note)))
		}
	}
	d.title = titleFor(d)
	d.warn()
	d.slug = slug(in, d.title)
	d.phrases = makePhrases(in, d.goal, d.title, d.places.app(), d.families())
	d.notes(traces)
	d.loops = exportLoops(study, d.names, d.steps)
	d.params = exportParams(study, d.names, d.steps)
	d.interp = interpret(d)
	d.verdict = judge(d)
	return d, nil
}

// warn marks the last effect of a goal that sends or deletes as grave, whatever its button is called.
func (d *draft) warn() {
	for _, c := range d.goal.clauses {
		if family := c.family(); family != "send" && family != "delete" {
			continue
		}
		for _, st := range slices.Backward(d.steps) {
			if st.Effect && st.Surface == workflow.OnBrowser && st.Verb != capture.Download {
				st.Grave = true
				return
			}
		}
	}
}

// goalOf is the session's goal, or the first one that was marked while demonstrating.
func goalOf(in Input) string {
	if in.Goal != "" {
		return in.Goal
	}
	for _, t := range in.Traces {
		for _, m := range t.Goals {
			if plain.Squeeze(m.Label) != "" {
				return m.Label
			}
		}
	}
	return ""
}

func exportGraph(d *draft) workflow.Graph {
	g := workflow.Graph{Steps: []workflow.Step{}, Params: d.params, Loops: d.loops}
	if g.Params == nil {
		g.Params = []workflow.Param{}
	}
	for _, st := range d.steps {
		g.Steps = append(g.Steps, st.Step)
	}
	return g
}

// notes puts what normalising left out and learned into words, without values, each once.
func (d *draft) notes(traces []normalised) {
	words := func(t int, n note) string {
		args := make([]any, len(n.args))
		for i, a := range n.args {
			args[i] = d.names.prose(d.study.gens[t].text(a))
		}
		return cut(fmt.Sprintf(n.format, args...), 300)
	}
	for t, tr := range traces {
		for _, n := range tr.leftOut {
			if s := words(t, n); !slices.Contains(d.leftOut, s) {
				d.leftOut = append(d.leftOut, s)
			}
		}
		for _, n := range tr.recovery {
			if s := words(t, n); !slices.Contains(d.recover, s) {
				d.recover = append(d.recover, s)
			}
		}
	}
}

// forbidden are the values that must not be seen in a checkpoint: distinctive ones that nobody chose to keep.
func (d *draft) forbidden() []string {
	chosen := map[string]bool{}
	for _, p := range d.study.params {
		if p.Role == workflow.RoleConstant || p.Example != "" || p.literal || p.source == "chosen" {
			for _, t := range append(slices.Clone(p.texts), p.rounds...) {
				chosen[t] = true
			}
		}
	}
	var out []string
	for link, v := range d.in.Values {
		if d.study.pageWords[link] {
			continue
		}
		if v = plain.Squeeze(v); !chosen[v] && (plain.Digits(v) > 0 && len(v) >= 4 || len(v) >= 8) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}
