package compile

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A further example changes no id: an answer or edit about a value, a step or a checkpoint still applies to it.
func TestIDsStayTheirs(t *testing.T) {
	in := fixture(t, "two-examples")
	one := in
	one.Traces = in.Traces[:1]
	first := compiled(t, one)
	meant := func(out Output) map[string]string {
		m := map[string]string{}
		for _, p := range out.Graph.Params {
			m[p.ParamID] = p.Name
		}
		for _, s := range out.Graph.Steps {
			m[s.StepID] = string(s.Verb) + " " + strings.Trim(s.Title[strings.LastIndex(s.Title, " ")+1:], "`\"")
		}
		return m
	}
	second := compiled(t, in) // not even told what the first compilation named
	for id, what := range meant(first) {
		if got := meant(second)[id]; got != what {
			t.Errorf("%s was %q and is %q", id, what, got)
		}
	}
	// An event that is deleted afterwards moves none either, once the names are handed on.
	in.Anchors = second.Anchors
	in.Traces[0].Records = in.Traces[0].Records[1:]
	third := compiled(t, in)
	for id, what := range meant(third) {
		if before, ok := meant(second)[id]; ok && before != what {
			t.Errorf("%s was %q and is %q", id, before, what)
		}
	}
}

// An id that is no longer used is not given to something else.
func TestIDsAreNotUsedTwice(t *testing.T) {
	in := fixture(t, "orderdesk")
	in.Edits = map[string]any{"drop_steps": []any{"s5"}}
	first := compiled(t, in)
	in.Anchors = first.Anchors
	again := compiled(t, in)
	for i, s := range again.Graph.Steps {
		if s.StepID == "s5" || s.StepID != first.Graph.Steps[i].StepID {
			t.Errorf("step %d is now called %s", i+1, s.StepID)
		}
	}
}

func TestDerive(t *testing.T) {
	params := []workflow.Param{
		{ParamID: "p1", Name: "day", Kind: capture.KindDate, Role: "input"}, {ParamID: "p1.month", Name: "day_month", Derived: "the month"},
		{ParamID: "p1.iso", Name: "day_iso", Derived: "as YYYY-MM-DD"},
		{ParamID: "p2", Name: "file", Kind: capture.KindFile, Role: "input"}, {ParamID: "p2.stem", Name: "file_stem", Derived: "without ending"},
		{ParamID: "p3", Name: "code", Role: "constant", Default: "Abc"}, {ParamID: "p3.upper", Name: "code_upper", Derived: "in upper case"},
		{ParamID: "p4", Name: "person", Role: "input"}, {ParamID: "p4.first", Name: "person_first", Derived: "the first word"},
		{ParamID: "p5", Name: "download", Derived: "the name of the file that was downloaded"},
		{ParamID: workflow.TodayID, Name: "today", Kind: capture.KindDate, Derived: "the day"}, {ParamID: "today.compact", Name: "today_compact",
			Derived: "as YYYYMMDD"},
	}
	got := workflow.Derive(params, map[string]string{"day": "24.12.2026", "file": "in/talk.wav", "person": "Ada Lovelace"}, fixtureStart)
	want := map[string]string{"day_month": "2026-12", "day_iso": "2026-12-24", "file_stem": "talk", "code_upper": "ABC", "person_first": "Ada",
		"today": "2026-11-21", "today_compact": "20261121"}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s is %q, want %q", k, got[k], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	if _, ok := workflow.Derive(params[:2], map[string]string{"day": "tomorrow"}, fixtureStart)["day_month"]; ok {
		t.Error("the month of tomorrow")
	}
}
