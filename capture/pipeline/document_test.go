package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/capture"
	"showhow/capture/seal"
)

// paper is a document of the test's own: its values by the words beside them.
type paper map[string]string

func (d paper) Find(text string) (out []capture.FoundPlace) {
	for label, value := range d {
		if value == text {
			out = append(out, capture.FoundPlace{DocumentPlace: capture.DocumentPlace{Beside: label}, Spot: len(out) + 1})
		}
	}
	return out
}

func (d paper) Shows(at capture.DocumentPlace, text string) (capture.DocumentPlace, bool) {
	return at, d[at.Beside] == text
}

// desk gives out papers by path and remembers which were asked for.
type desk struct {
	mu     sync.Mutex
	papers map[string]paper
	asked  []string
}

func (d *desk) open(_ context.Context, path string) (capture.Document, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, path)
	if p := d.papers[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("no such paper")
}

func ranIn(shell, line string) capture.Observation {
	return capture.Observation{Kind: capture.TerminalCommand, Origin: capture.Origin{App: "bash", Shell: shell}, Verb: capture.Run,
		Command: &capture.RawCommand{Line: line, Shell: "bash", CwdFrom: "/home/anna/work", CwdTo: "/home/anna/work"}}
}

func typedInto(label, text string) capture.Observation {
	return capture.Observation{Kind: capture.BrowserDOM, Origin: site, Verb: capture.Type,
		Target: &capture.Target{Role: "textbox", Label: label}, Value: &capture.RawValue{Text: text, FieldName: label}}
}

func demonstrate(t *testing.T, papers map[string]paper, all ...capture.Observation) (*desk, []capture.Record) {
	t.Helper()
	log, d := &memory{}, &desk{papers: papers}
	cfg := config(t, log)
	cfg.Document = d.open
	p := start(t, cfg)
	for _, o := range all {
		p.Emit(o)
	}
	flush(t, p)
	return d, log.all()
}

func sourceOf(t *testing.T, v *capture.Value) *capture.InDocument {
	t.Helper()
	if v == nil || v.Source == nil || v.Source.Document == nil {
		t.Fatalf("no place is kept: %+v", v)
	}
	return v.Source.Document
}

// What was typed after a command had shown it in a document keeps the place that the command named.
func TestPlaceThatACommandNamed(t *testing.T) {
	_, rs := demonstrate(t, map[string]paper{"/home/anna/work/a.pdf": {"Invoice number": "INV-20417", "Canary Winther": "INV-20417"}},
		ranIn("pts/3", `showhow pdf value a.pdf --beside "Invoice number"`), typedInto("Reference", "INV-20417"),
		ranIn("pts/3", "book --number=INV-20417"), typedInto("Other", "INV-20418"))
	if len(rs) != 4 {
		t.Fatal(len(rs))
	}
	if line := rs[0].Action.Command.Line; line != `showhow pdf value a.pdf --beside "Invoice number"` {
		t.Errorf("the command is kept as %s", line)
	}
	for _, v := range []*capture.Value{rs[1].Action.Value, &rs[2].Action.Command.Sealed[0]} {
		in := sourceOf(t, v)
		if in.EventID != rs[0].Event.EventID || in.Place == nil || in.Place.Beside != "Invoice number" || len(in.Places) > 0 {
			t.Errorf("%+v", in)
		}
	}
	if v := rs[3].Action.Value; v.Source != nil {
		t.Errorf("a number that the document lacks came from %+v", v.Source)
	}
	for _, r := range rs {
		if b, _ := json.Marshal(r); strings.Contains(string(b), "INV-2041") || strings.Contains(string(b), "Canary") {
			t.Errorf("%s", b)
		}
	}
}

// Places that nobody named are sealed, for a document may say anything there; a later demonstration of the same work
// does not take their words for something that was entered.
func TestFoundPlacesAreSealed(t *testing.T) {
	_, rs := demonstrate(t, map[string]paper{"/home/anna/Total.pdf": {"Canary Winther": "2951.20", "Total": "2951.20"}},
		ranIn("pts/3", "showhow pdf text ~/Total.pdf"), typedInto("Amount", "2951.20"))
	in := sourceOf(t, rs[1].Action.Value)
	if in.Place != nil || len(in.Places) != 2 {
		t.Fatalf("%+v", in)
	}
	if b, _ := json.Marshal(rs); strings.Contains(string(b), "Canary") {
		t.Errorf("%s", b)
	}
	opened, err := seal.Open(key, rs[1].Sealed)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, p := range in.Places {
		at, ok := capture.OpenPlace(opened[p.LinkID])
		if !ok {
			t.Fatalf("%q", opened[p.LinkID])
		}
		labels = append(labels, at.Beside)
	}
	if slices.Sort(labels); !slices.Equal(labels, []string{"Canary Winther", "Total"}) {
		t.Errorf("%q", labels)
	}

	log := &memory{}
	cfg := config(t, log)
	cfg.Sealed = rs[1].Sealed
	p := start(t, cfg)
	p.Emit(click("Total"))
	flush(t, p)
	if name := log.all()[0].Action.Target.Name; name != "Total" {
		t.Errorf("a button's name is kept as %s", name)
	}
}

// A place with a secret in its words is left out, and so is one that several documents could mean.
func TestPlacesThatAreNotKept(t *testing.T) {
	papers := map[string]paper{"/d/a.pdf": {"password: Canary-Pw-7781": "INV-1"}, "/d/b.pdf": {"One": "INV-2"}, "/d/c.pdf": {"Two": "INV-2"}}
	_, rs := demonstrate(t, papers, ranIn("pts/3", "showhow pdf text /d/a.pdf"), typedInto("Number", "INV-1"),
		ranIn("pts/3", "showhow pdf text /d/b.pdf"), ranIn("pts/3", "showhow pdf text /d/c.pdf"), typedInto("Number", "INV-2"))
	for _, r := range rs {
		if v := r.Action.Value; v != nil && v.Source != nil {
			t.Errorf("%+v", v.Source.Document)
		}
	}
}

// Only what a person's own shell has shown is read: no document that an agent names, that a command failed on, or that
// a line does more with.
func TestDocumentsThatAreNotRead(t *testing.T) {
	failed := ranIn("pts/3", "showhow pdf text /d/a.pdf")
	failed.Command.Exit = 1
	agent := ranIn("", "showhow pdf text /d/a.pdf")
	agent.Origin.App = "calc"
	d, _ := demonstrate(t, nil, failed, agent, ranIn("pts/9", "showhow pdf text /d/a.pdf"), ranIn("pts/3", "cat /d/a.pdf"))
	if len(d.asked) > 0 {
		t.Errorf("read: %q", d.asked)
	}
}
