package pipeline_test

import (
	"context"
	"fmt"
	"testing"

	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/recall"
	"showhow/capture/secret"
)

var rtContext = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // Run drains what was emitted and returns
	return ctx
}()

// pageState is a digest of an ordinary page.
func pageState(i int) *capture.State {
	s := &capture.State{URL: fmt.Sprintf("http://127.0.0.1:8080/orders/A-%d", 1000+i), Title: "Edit order",
		Headings: []string{"Orders", "Edit order", "Lines", "History"},
		Alerts:   []string{"Saved"}, Focus: "textbox Customer",
		Tables: []capture.Table{{Name: "Lines", Columns: []string{"Article", "Quantity", "Price", "Total"}, Rows: 12}}}
	for f := range 10 {
		s.Fields = append(s.Fields, capture.Field{Label: fmt.Sprintf("Field %d", f), Role: "textbox",
			Raw: &capture.RawValue{Text: fmt.Sprintf("content %d", f)}})
	}
	return s
}

// BenchmarkPipeline measures one browser click with two page digests, from Emit to commit in a log that costs
// nothing.
func BenchmarkPipeline(b *testing.B) {
	p := start(b, config(b, &discard{}))
	clicks(b, p)
}

// BenchmarkPipelineWithSecrets measures the same after the person signed in and typed a name, with 500 known table
// cells.
func BenchmarkPipelineWithSecrets(b *testing.B) {
	p := start(b, config(b, &discard{}))
	p.Blot(recall.BlotsOf(p.Salt(), "Zx9!correct-horse", secret.Password))
	p.Blot(recall.BlotsOf(p.Salt(), "anna.schmidt", secret.Name))
	o := click("Customer")
	o.Verb, o.Value = capture.Type, &capture.RawValue{Text: "Wilhelmina Bird", FieldName: "customer"}
	p.Emit(o)
	for i := range 500 {
		o := click("")
		o.Target = &capture.Target{Role: "row", Name: fmt.Sprintf("Order A-%d of customer %d", 1000+i, i)}
		p.Emit(o)
	}
	flush(b, p)
	clicks(b, p)
}

// BenchmarkCommand measures one ordinary command.
func BenchmarkCommand(b *testing.B) {
	p := start(b, config(b, &discard{}))
	many(b, p, func(i int) capture.Observation {
		return capture.Observation{Kind: capture.TerminalCommand, Origin: capture.Origin{App: "bash", Shell: "pts/3"}, Verb: capture.Run,
			Command: &capture.RawCommand{Line: fmt.Sprintf("sort -t, -k3 orders-%d.csv | head -n 20 > top.csv", i), Shell: "bash",
				CwdFrom: "/home/anna/work", CwdTo: "/home/anna/work"}}
	})
}

// clicks are browser clicks, each with two page digests.
func clicks(b *testing.B, p *pipeline.Pipeline) {
	many(b, p, func(i int) capture.Observation {
		o := click("Save")
		o.Before, o.After = pageState(i), pageState(i)
		return o
	})
}

// many emits one observation after the other and flushes from time to time: the queue is bounded.
func many(b *testing.B, p *pipeline.Pipeline, next func(i int) capture.Observation) {
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		p.Emit(next(i))
		if i%512 == 511 {
			flush(b, p)
		}
	}
	flush(b, p)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

type discard struct{ seq int64 }

func (d *discard) Append(_ context.Context, rs []capture.Record) error {
	for i := range rs {
		d.seq++
		rs[i].Seq = d.seq
	}
	return nil
}
