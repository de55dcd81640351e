package compile

import (
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/prove"
	"showhow/daemon/compile/revise"
	"showhow/daemon/compile/trace"
	"showhow/daemon/compile/values"
	"showhow/daemon/compile/write"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Compile turns demonstrations into a draft. The same input gives the same draft, ids and times excepted, which come
// from Input. A trace without anything usable still gives a draft, whose verdict says why it cannot become a skill;
// the only errors are edits that are not understood and a missing trace.
func Compile(in Input) (Output, error) {
	if len(in.Traces) == 0 {
		return Output{}, fault.New(fault.InsufficientTraces, "there is nothing to learn from: no demonstration was given")
	}
	if err := decision.CheckEdits(in.Edits); err != nil {
		return Output{}, err
	}
	in.Answers = in.WithEdited()
	if in.NewID == nil {
		in.NewID = clock.NewID
	}
	d, err := understand(in)
	if err != nil {
		return Output{}, err
	}
	m := write.Manifest(d)
	bundle, err := write.BuildBundle(d, m)
	if err != nil {
		return Output{}, err
	}
	graph := write.ExportGraph(d)
	return Output{
		Title: d.Title, Slug: d.Slug, TriggerPhrases: write.OrEmpty(d.Phrases.Triggers), NegativeTriggers: write.OrEmpty(d.Phrases.Negatives),
		Generated:    write.OrEmpty(d.Phrases.Generated),
		CapabilityID: m.CapabilityID, Family: d.Places.Family(), RequiredSites: write.OrEmpty(d.Places.Sites),
		RequiredCommands: write.OrEmpty(d.Places.Commands), RequiredAdapters: write.OrEmpty(d.Places.Adapters()),
		ConnectorHints: write.OrEmpty(d.Places.Connectors),
		Graph:          graph, Interpretation: d.Interp, Questions: revise.Ask(d), Lint: prove.Lint(graph, d.Interp, bundle, d.Forbidden()),
		Verdict:  d.Verdict,
		Manifest: m, Metadata: write.Metadata(d), Bundle: bundle, LeftOut: write.OrEmpty(d.LeftOut), Anchors: d.Study.IDs.Given,
	}, nil
}

// understand runs the stages in order.
func understand(in Input) (*write.Understanding, error) {
	traces := make([]trace.Trace, len(in.Traces))
	plain := trace.PlainIn(in.Traces)
	for t, tr := range in.Traces {
		tr.Records = trace.PlainControls(trace.PlainAddresses(tr.Records, in.Values, plain), in.Values, plain)
		tr.Records = trace.PlainTurns(tr.Records, in.Values)
		traces[t] = trace.Read(tr)
	}
	study := values.Find(in, traces, align.Traces(traces))
	values.Decide(in, study.Params)
	names := flow.NewNames(study, traces)
	steps, err := flow.Build(study, names)
	if err != nil {
		return nil, err
	}
	steps, leftOut := flow.KeepPart(steps, decision.Edits(in.Edits))
	segs := flow.CutSegments(steps)
	cps := prove.Find(in, study, names, steps, segs)
	return write.Understand(in, traces, study, names, steps, segs, cps, leftOut), nil
}
