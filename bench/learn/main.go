// Learn measures how well Showhow learns from demonstrations, over the corpus: `make bench-learn` prints a table and
// writes bench/out/bench-learn.json.
//
// It uses a real daemon in throw-away directories through its API, as a person does, with sealed values: each
// workflow is demonstrated twice, a proposal made from one and from two examples and its inputs compared with the
// truth, the second one rehearsed with fresh values on fresh data, and rehearsed again under each of its faults.
// Whether something really happened is read from the applications' own ledgers and from the files created. Every miss
// is listed by workflow.
//
// Most of this is waiting, so several offices work at once, and the changed pages beside them. Speed is measured
// after they have ended, one run after the other.
//
// A figure that could not be measured is absent, never zero. What there was no time for is reported.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"time"

	"showhow/bench/corpus"
	"showhow/bench/corpus/mutate"
	"showhow/bench/figures"
	base "showhow/bench/office"
	"showhow/browser"
)

const environment = `WORKERS  offices at once (3)
FAULTS   faults tried for each workflow (3)
BUDGET   how long (7m30s)
PAGES    0: no changed pages
VERBOSE  1: what every step did`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rec := flag.Bool("record", false, "record the workflows into the corpus's test data instead")
	only := flag.String("only", "", "names of workflows, separated by commas")
	figures.Flags(environment)
	list, err := chosen(*only)
	if err != nil {
		fail(err)
	}
	dir, err := os.MkdirTemp("", "shb")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(dir)
	bin, err := base.Build(ctx, dir)
	switch {
	case err != nil:
	case *rec:
		err = record(ctx, bin, list)
	default:
		err = measure(ctx, bin, list)
	}
	if err != nil {
		os.RemoveAll(dir)
		fail(err)
	}
}

// replayEach is how many located steps of changed pages there are for each one that @puppeteer/replay also performs:
// it waits before it refuses.
const replayEach = 12

// mutationEach: every third mutation is applied to a page, the others to the next two, so that each kind meets a
// third of the pages; that still gives well over six hundred located steps.
const mutationEach = 3

// measure runs everything and prints it.
func measure(ctx context.Context, bin string, list []*corpus.Workflow) error {
	budget, err := time.ParseDuration(os.Getenv("BUDGET"))
	if err != nil {
		budget = 450 * time.Second
	}
	workers := max(1, envInt("WORKERS", 3))
	start := time.Now()
	r := newReport()
	others, missing := modules()
	var p *players
	if len(missing) > 0 {
		fmt.Fprintf(os.Stderr, "nothing is compared with other players: %s not in %s; `build/setup.sh test` installs what is missing (npm)\n",
			strings.Join(missing, ", "), others)
		others = ""
	} else if p, err = startPlayers(ctx, others); err != nil {
		return err
	} else {
		defer p.close()
	}
	t := times{faults: start.Add(budget - raceTime), races: start.Add(budget)}
	var changed *mutate.Report
	var beside sync.WaitGroup
	if len(list) > 1 && os.Getenv("PAGES") != "0" {
		beside.Go(func() { changed = pages(ctx, t.faults, others) })
	}
	all := measureAll(ctx, bin, list, workers, t, p, &beside)
	r.learned(all)
	r.times(all)
	if changed != nil {
		r.mutated(changed)
		fmt.Println()
		changed.Print(os.Stdout)
	}
	r.cost(time.Since(start))
	return r.print(all)
}

// times are the deadlines of the parts.
type times struct{ faults, races time.Time }

// raceTime is reserved for what must be measured on an otherwise idle machine.
const raceTime = 60 * time.Second

func envInt(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}

// pages measures changed pages; nil if that was not possible.
func pages(ctx context.Context, until time.Time, others string) *mutate.Report {
	ctx, stop := context.WithDeadline(ctx, until)
	defer stop()
	m, err := mutate.Measure(ctx, mutate.Options{NodeModules: others, ReplayEach: replayEach, Each: mutationEach,
		Browser: browser.Options{Headless: new(true), NoSandbox: true}})
	if err != nil {
		fmt.Fprintln(os.Stderr, "changed pages were not measured:", err)
		return nil
	}
	if m.Pages < m.Of {
		fmt.Fprintf(os.Stderr, "changed pages: there was time for %d of %d\n", m.Pages, m.Of)
	}
	return m
}

func chosen(names string) ([]*corpus.Workflow, error) {
	if names == "" {
		return corpus.All(), nil
	}
	var out []*corpus.Workflow
	for _, n := range strings.Split(names, ",") {
		f := corpus.Find(n)
		if f == nil {
			return nil, fmt.Errorf("there is no workflow %s", n)
		}
		out = append(out, f)
	}
	return out, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench-learn:", err)
	os.Exit(1)
}
