package compile

import (
	"slices"
	"testing"

	"showhow/capture"
)

// A second example that begins on a page that is already open is the same work: no step appears twice, and the example
// only lacks the way to that page.
func TestAnExampleMayBeginOnAnOpenPage(t *testing.T) {
	eachRecorded(t, func(t *testing.T, w recorded) {
		if len(w.Demonstrations) < 2 {
			t.Skip("shown once")
		}
		whole := compiled(t, w.input(2))
		for which := range 2 {
			in := w.input(2)
			records := in.Traces[which].Records
			begins := slices.IndexFunc(records, func(r capture.Record) bool {
				return r.Action.Verb != capture.Navigate && r.Action.Verb != capture.NewTab && r.Action.Verb != capture.SwitchTab
			})
			if begins < 1 {
				t.Skip("it does not begin with opening a page")
			}
			in.Traces[which].Records = records[begins:]
			got := compiled(t, in)
			titles := func(o Output) (out []string) {
				for _, s := range o.Graph.Steps {
					out = append(out, s.Title)
				}
				return out
			}
			if want, got := titles(whole), titles(got); !slices.Equal(want, got) {
				t.Errorf("%d steps\n%q\nwant\n%q", which, got, want)
			}
		}
	})
}
