package pipeline

import (
	"slices"
	"testing"
	"time"

	"showhow/capture"
)

// A launch in a watched shell is kept with its command and withheld with it. Times are seconds.
func TestLaunchesAreAsPrivateAsTheirCommand(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	for name, c := range map[string]struct {
		commands [][2]float64 // from, until
		private  []float64    // when each had ended
		launched []float64
		now      float64
		end      bool
		keep     []float64
		withheld int64
		waiting  int
	}{
		"the command is kept":          {commands: [][2]float64{{1, 2}}, launched: []float64{1.5}, now: 2, keep: []float64{1.5}},
		"the command is private":       {commands: [][2]float64{{1, 2}}, private: []float64{4}, launched: []float64{3}, now: 4, withheld: 1},
		"the first command is private": {private: []float64{4}, launched: []float64{3}, now: 4, withheld: 1},
		"kept before, private, kept after": {commands: [][2]float64{{1, 2}}, private: []float64{4}, launched: []float64{1.9, 3}, now: 9,
			keep: []float64{1.9}, withheld: 1},
		"the command runs":   {commands: [][2]float64{{1, 2}}, launched: []float64{3}, now: 60, waiting: 1},
		"it runs at the end": {commands: [][2]float64{{1, 2}}, launched: []float64{3}, now: 60, end: true, withheld: 1},
		"in the background": {commands: [][2]float64{{1, 2}}, launched: []float64{2.03125}, now: 3, end: true,
			keep: []float64{2.03125}},
		"in the background, or a line more": {commands: [][2]float64{{1, 2}}, launched: []float64{2.03125}, now: 9, waiting: 1},
		"a line more, private": {commands: [][2]float64{{1, 2}}, private: []float64{2.0625}, launched: []float64{2.03125}, now: 2.1,
			withheld: 1},
		"no shell is watched":    {launched: []float64{1}, now: 3.1, keep: []float64{1}},
		"nor for long":           {launched: []float64{1}, now: 1.1, waiting: 1},
		"nor was one at the end": {launched: []float64{1}, now: 1.1, end: true, keep: []float64{1}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Pipeline{cfg: Config{Now: time.Now}}
			v := &p.verdicts
			for _, l := range c.launched {
				o := capture.Observation{Kind: capture.ProcessLaunch, Verb: capture.Run, Origin: capture.Origin{App: "tool", Shell: "pts/1"},
					OccurredAt: at(l)}
				if !v.waits(&o) {
					t.Fatal("it does not wait")
				}
				v.waiting = append(v.waiting, waiting{o, at(l)})
			}
			for _, k := range c.commands {
				v.hear(&capture.Observation{Kind: capture.TerminalCommand, Origin: capture.Origin{Shell: "pts/1"}, OccurredAt: at(k[0]),
					Command: &capture.RawCommand{Duration: at(k[1]).Sub(at(k[0]))}})
			}
			for _, s := range c.private {
				p.Private("pts/1", at(s))
			}
			p.Private("pts/2", at(2.5)) // another shell's is nobody's business here
			keep, withheld := v.decide(at(c.now), c.end)
			var kept []float64
			for _, o := range keep {
				kept = append(kept, o.OccurredAt.Sub(zero).Seconds())
			}
			if !slices.Equal(kept, c.keep) || withheld != c.withheld || len(v.waiting) != c.waiting {
				t.Errorf("kept %v, withheld %d, %d wait; want %v, %d, %d", kept, withheld, len(v.waiting), c.keep, c.withheld, c.waiting)
			}
		})
	}
}
