package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"showhow/bench/corpus/mutate"
	"showhow/bench/figures"
)

// report is bench/out/bench-learn.json.
type report struct {
	figures.Report
	Misses map[string][]string `json:"misses"` // by workflow
}

func newReport() *report {
	return &report{Report: figures.New("bench-learn"), Misses: map[string][]string{}}
}

// learned adds the results of the workflows.
func (r *report) learned(all []*learned) {
	var precision, recall [2][2]int // hits, of
	var ok, performed, alarms, healthy, caught, faults, linked, links int
	var propose []float64
	var held [3]int // inputs right and expected from two examples, rehearsals that succeeded
	heldRuns := 0
	for _, l := range all {
		if l == nil {
			continue
		}
		if m := l.misses(); len(m) > 0 || l.Problem != "" {
			if l.Problem != "" {
				m = append(m, strings.Join(strings.Fields(l.Problem), " "))
			}
			r.Misses[l.Name] = m
		}
		for i, f := range l.Inputs {
			if l.Problem != "" && f.Expected == 0 {
				continue
			}
			precision[i][0], precision[i][1] = precision[i][0]+f.Right, precision[i][1]+f.Proposed
			recall[i][0], recall[i][1] = recall[i][0]+f.Right, recall[i][1]+f.Expected
		}
		linked, links = linked+l.Linked[0], links+l.Linked[1]
		for _, t := range l.Propose {
			propose = append(propose, float64(t.Microseconds())/1000)
		}
		performed++ // one that did not come that far has not succeeded
		if l.Held {
			heldRuns++
			held[0], held[1] = held[0]+l.Inputs[1].Right, held[1]+l.Inputs[1].Expected
			if l.Fresh != nil && l.Fresh.OK {
				held[2]++
			}
		}
		if l.Fresh == nil {
			continue
		}
		if l.Fresh.OK {
			ok++
			healthy++
			if l.Fresh.Result == "failed" {
				alarms++
			}
		}
		for f := range l.Faults {
			faults++
			if l.caught(f) {
				caught++
			}
		}
	}
	for i, from := range []string{"one example", "two examples"} {
		k := fmt.Sprintf("_%d", i+1)
		r.Ratio("inputs_precision"+k, precision[i][0], precision[i][1], "proposed inputs that are right in name and kind, from "+from)
		r.Ratio("inputs_recall"+k, recall[i][0], recall[i][1], "expected inputs that were found and named right, from "+from)
	}
	r.Ratio("links_right_ratio", linked, links, "places where a value comes again that name its input, from two examples")
	r.Median("propose_ms", propose, "generate-proposal over the API, from one and from two examples")
	r.Ratio("rehearsal_success_ratio", ok, performed,
		"rehearsals with fresh values that succeeded by the record of what really happened; any other outcome counts against it")
	r.Ratio("held_out_recall_2", held[0], held[1], "inputs_recall_2 of the workflows that nobody adjusted anything to")
	r.Ratio("held_out_success_ratio", held[2], heldRuns, "rehearsal_success_ratio of these")
	r.Ratio("failures_caught_ratio", caught, faults, "runs under an injected fault that ended worse than the same run without")
	if healthy > 0 {
		r.Figure("false_alarms", float64(alarms), healthy, "runs that succeeded by the record and were said to have failed")
	}
}

// times compares each timed workflow with the fastest of the other players.
func (r *report) times(all []*learned) {
	var ratios []float64
	each := map[string][]float64{}
	for _, l := range all {
		if l == nil || l.Times["showhow"] == 0 {
			continue
		}
		var fastest time.Duration
		for _, name := range playerNames {
			if t := l.Times[name]; t > 0 && (fastest == 0 || t < fastest) {
				fastest = t
			}
		}
		if fastest == 0 {
			continue
		}
		ratios = append(ratios, l.Times["showhow"].Seconds()/fastest.Seconds())
		for name, t := range l.Times {
			each[name] = append(each[name], t.Seconds())
		}
	}
	r.Median("rehearsal_time_ratio", ratios, "time of a whole run, browser's start and end and all checks included, over the fastest of "+
		"@puppeteer/replay and Playwright on the same steps; best of 2, median over workflows")
	for _, name := range append([]string{"showhow"}, playerNames...) {
		r.Median(name+"_run_s", each[name], "seconds of such a run by "+name)
	}
}

// cost adds how long everything took, and how much of that was work: on a busy machine only the work says how long a
// quiet one takes.
func (r *report) cost(took time.Duration) {
	r.Figure("elapsed_s", took.Seconds(), 1, "of the whole measurement, by the clock")
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name before may hold anything
	ticks := 0.0
	for i, f := range strings.Fields(rest) {
		if n, err := strconv.ParseFloat(f, 64); err == nil && i >= 11 && i <= 14 { // utime, stime, and those of children that ended
			ticks += n
		}
	}
	r.Figure("cpu_s", ticks/100, 1, "processor time of it, everything started included; two processors have two seconds of it each second")
}

// mutated adds how well targets are found again on changed pages.
func (r *report) mutated(m *mutate.Report) {
	for _, k := range []struct{ finder, key string }{{mutate.Showhow, "mutated"}, {mutate.Replay, "puppeteer"},
		{mutate.Playwright, "playwright"}} {
		alone, all := m.Alone(k.finder), m.All(k.finder)
		together := m.Sum(func(c mutate.Cell) bool { return c.Finder == k.finder && c.Kind == mutate.Together })
		r.Ratio(k.key+"_right_ratio", alone.Right, alone.N(), "located steps that were right under each mutation alone")
		r.Ratio(k.key+"_refused_ratio", alone.Refused, alone.N(), "refused")
		r.Ratio(k.key+"_wrong_ratio", all.Wrong, all.N(), "wrong, over the page as it was, each mutation alone and all together")
		r.Ratio(k.key+"_together_right_ratio", together.Right, together.N(), "right under all mutations at once")
	}
}

// print writes the table for people and the file for programs.
func (r *report) print(all []*learned) error {
	r.Print()
	fmt.Println("\ninputs: right/proposed/expected from one example, from two; rehearsal: result/really happened; faults: caught/met")
	for _, l := range all {
		if l != nil {
			fmt.Println(l.line())
		}
	}
	fmt.Println("\nmisses")
	for _, l := range all {
		if l == nil {
			continue
		}
		for _, m := range r.Misses[l.Name] {
			fmt.Printf("%-19s %s\n", l.Name, m)
		}
	}
	return figures.Write(r.Name, r)
}
