package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"showhow/capture"
	"showhow/internal/clock"
)

// longTrace is a demonstration of n events: the order desk's work repeated, with different values each time, fields
// filled in, forms sent, files saved and commands run on them.
func longTrace(n int) Input {
	in := Input{Goal: "Update orders and export them", ExecutionMode: "guided", Now: clock.At(fixtureStart), NewID: counter(),
		Values: map[string]string{}}
	tr := Trace{TraceID: "00000000-0000-7000-8000-0000000000a0", SessionID: "00000000-0000-7000-8000-0000000000b0"}
	add := func(r capture.Record) {
		if len(tr.Records) < n {
			r = fillRecord(r, tr, len(tr.Records), 0)
			r.Action.OccurredAt = fixtureStart.Add(time.Duration(len(tr.Records)) * 3 * time.Second).Format("2006-01-02T15:04:05.000000Z")
			tr.Records = append(tr.Records, r)
		}
	}
	for i := 0; len(tr.Records) < n; i++ {
		roundOfWork(in.Values, i, add)
	}
	in.Traces = []Trace{tr}
	return in
}

func roundOfWork(values map[string]string, i int, add func(capture.Record)) {
	value := func(kind capture.ValueKind, name, text string) *capture.Value {
		link := fmt.Sprintf("v_%s%d", name, i)
		values[link] = text
		return &capture.Value{Policy: capture.Masked, Kind: kind, Length: len(text), LinkID: link}
	}
	id := value(capture.KindID, "order", fmt.Sprintf("A-%d", 10000+i))
	mask := id.Mask()
	at := func(path string, heads ...string) *capture.State {
		return &capture.State{URL: "https://desk.example.com" + path, Title: heads[0] + " - Desk", Headings: heads,
			Tables: []capture.Table{{Name: "Orders", Columns: []string{"Order", "Customer"}, Rows: 10}}}
	}
	list, detail, form := at("/orders", "Orders"), at("/orders/"+mask, "Order "+mask), at("/orders/"+mask+"/edit", "Edit order "+mask)
	act := func(verb capture.Verb, t capture.Target, v *capture.Value, from, to *capture.State) {
		add(capture.Record{Action: capture.Action{Verb: verb, Target: &t, Value: v, Page: &capture.Page{URL: from.URL, Title: from.Title,
			Tab: "tab1"}}, Before: from, After: to})
	}
	chosen := *id
	chosen.Chosen = true
	act(capture.Click, capture.Target{Role: "link", Name: mask, Landmark: &capture.Landmark{Role: "row", Name: mask}}, &chosen, list, detail)
	act(capture.Click, capture.Target{Role: "link", Name: "Edit order"}, nil, detail, form)
	where := &capture.Landmark{Role: "form", Name: "Edit order"}
	for k, label := range []string{"Delivery date", "Note", "City", "Street"} {
		act(capture.Type, capture.Target{Role: "textbox", Label: label, Name: label, Landmark: where},
			value(capture.KindText, fmt.Sprintf("f%d_", k), fmt.Sprintf("words of field %d in round %d", k, i)), form, form)
	}
	saved := *detail
	saved.Alerts = []string{"Order " + mask + " was updated."}
	act(capture.Click, capture.Target{Role: "button", Name: "Save order", Landmark: where}, nil, form, &saved)
	file := capture.File{Name: "order-" + mask + ".csv", Ext: ".csv", Size: 120}
	add(capture.Record{Action: capture.Action{Verb: capture.Download, File: &file, Page: &capture.Page{URL: detail.URL, Tab: "tab1"}},
		Before: &saved, After: &saved})
	for _, line := range []string{"wc -l order-%s.csv", "cut -d, -f1 order-%s.csv > ids-%s.txt"} {
		add(capture.Record{Action: capture.Action{Verb: capture.Run, Command: &capture.Command{Line: strings.ReplaceAll(line, "%s", mask),
			CwdFrom: "~/Downloads"}}, After: &capture.State{Cwd: "~/Downloads"}})
	}
	act(capture.Click, capture.Target{Role: "link", Name: "Orders"}, nil, detail, list)
}

// mixed is a long trace without a loop: every round has another shape, so nothing collapses.
func mixed(n int) Input {
	in := longTrace(n)
	for i := range in.Traces[0].Records {
		r := &in.Traces[0].Records[i]
		if t := r.Action.Target; t != nil && (i*7919)%13 < 4 {
			c := *t
			c.Name, c.Label = fmt.Sprintf("%s %c%c", t.Name, 'a'+rune(i%23), 'a'+rune(i%19)), ""
			r.Action.Target = &c
		}
	}
	return in
}

func BenchmarkPropose500(b *testing.B)      { propose(b, longTrace(500), "propose_500_ms") }
func BenchmarkPropose10k(b *testing.B)      { propose(b, longTrace(10_000), "propose_10k_ms") }
func BenchmarkPropose10kMixed(b *testing.B) { propose(b, mixed(10_000), "") }

func propose(b *testing.B, in Input, key string) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(in); err != nil {
			b.Fatal(err)
		}
	}
	if key != "" {
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), key)
	}
}

// A demonstration of a whole day must still give a skill of readable length, whatever its shape.
func TestLongTraces(t *testing.T) {
	for name, in := range map[string]Input{"loop": longTrace(1500), "mixed": mixed(1500)} {
		out := compiled(t, in)
		for _, msg := range unsound(in, out) {
			t.Errorf("%s: %s", name, msg)
		}
	}
}
