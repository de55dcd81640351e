package capture_test

import (
	"context"
	"fmt"
	"testing"

	"showhow/capture"
)

var rtContext = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // Run drains what was emitted and returns
	return ctx
}()

// pageState is a digest of an ordinary page.
func pageState(i int) *capture.State {
	s := &capture.State{URL: fmt.Sprintf("http://127.0.0.1:8080/orders/A-%d", 1000+i), Title: "Edit order", Headings: []string{"Orders", "Edit order", "Lines", "History"},
		Alerts: []string{"Saved"}, Focus: "textbox Customer", Tables: []capture.Table{{Name: "Lines", Columns: []string{"Article", "Quantity", "Price", "Total"}, Rows: 12}}}
	for f := range 10 {
		s.Fields = append(s.Fields, capture.Field{Label: fmt.Sprintf("Field %d", f), Role: "textbox", Raw: &capture.RawValue{Text: fmt.Sprintf("content %d", f)}})
	}
	return s
}

// BenchmarkPipeline is one browser click with two page digests, from Emit to commit in a log that costs nothing.
func BenchmarkPipeline(b *testing.B) {
	p := start(b, config(b, &discard{}))
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		o := click("Save")
		o.Before, o.After = pageState(i), pageState(i)
		p.Emit(o)
		if i%512 == 511 {
			flush(b, p)
		}
	}
	flush(b, p)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkCommand is one ordinary command.
func BenchmarkCommand(b *testing.B) {
	p := start(b, config(b, &discard{}))
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		p.Emit(capture.Observation{Kind: capture.TerminalCommand, Origin: capture.Origin{App: "bash", Shell: "pts/3"}, Verb: capture.Run,
			Command: &capture.RawCommand{Line: fmt.Sprintf("sort -t, -k3 orders-%d.csv | head -n 20 > top.csv", i), Shell: "bash", CwdFrom: "/home/anna/work", CwdTo: "/home/anna/work"}})
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
