package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/bench/corpus"
	"showhow/bench/corpus/ledger"
	"showhow/daemon/client"
)

// learned is all that was measured of one workflow.
type learned struct {
	Name     string
	Held     bool   // kept out of what anybody adjusted to
	Problem  string // why there is nothing more
	Verdicts [2]string
	Inputs   [2]found // from one example, from two
	Linked   [2]int   // from two: right, expected
	Propose  []time.Duration
	Fresh    *run // with fresh values; nil: not measured
	Faults   map[ledger.Fault]run
	Skipped  []ledger.Fault           // there was no time
	Times    map[string]time.Duration // of the demonstration performed again, by player
	Took     time.Duration
}

// measureAll has the workflows demonstrated and performed in several offices at once. The offices take workflows from
// one list, so that none waits for another; those without a browser come first. Faults are tried within the
// workflow's share of the time, so that the last ones get theirs, and omissions are reported. When everything has
// ended, parallel measurements included, the players race.
func measureAll(ctx context.Context, bin string, list []*corpus.Workflow, offices int, t times, p *players,
	beside *sync.WaitGroup) []*learned {
	out := make([]*learned, len(list))
	order, shares := shared(list, t.faults)
	next := make(chan int)
	go func() {
		defer close(next)
		for _, i := range order {
			next <- i
		}
	}()
	var race sync.Mutex // one at a time
	var busy, wg sync.WaitGroup
	busy.Add(offices)
	for range offices {
		wg.Go(func() {
			var o *office
			var due []*measuring
			defer func() {
				if o != nil {
					o.close()
				}
			}()
			for i := range next {
				out[i] = &learned{Name: list[i].Name, Held: list[i].Held, Faults: map[ledger.Fault]run{}}
				if o == nil {
					var err error
					if o, err = openOffice(ctx, bin); err != nil {
						out[i].Problem = err.Error()
						continue
					}
				}
				start := time.Now()
				m := &measuring{office: o, f: list[i], l: out[i], times: times{faults: shares[i], races: t.races}, players: p, index: i,
					perWorkflow: envInt("FAULTS", 3)}
				if err := m.all(ctx); err != nil {
					out[i].Problem = err.Error()
				}
				out[i].Took = time.Since(start)
				fmt.Fprintf(os.Stderr, "%s\n", out[i].line())
				m.forget(ctx) // the next one needs the place
				if m.races() {
					due = append(due, m)
				}
			}
			busy.Done()
			if len(due) == 0 {
				return
			}
			busy.Wait()
			beside.Wait()
			race.Lock()
			defer race.Unlock()
			for _, m := range due {
				if err := m.compete(ctx); err != nil {
					m.l.Problem = err.Error()
				}
			}
		})
	}
	wg.Wait()
	beside.Wait()
	return out
}

// withBrowser is how many times longer a workflow with a browser takes.
const withBrowser = 6

// shared returns the order of the workflows, and the deadline for each one's faults if all are to be finished by the
// end.
func shared(list []*corpus.Workflow, end time.Time) (order []int, until []time.Time) {
	var later []int
	weight := func(i int) int {
		if list[i].App == "" {
			return 1
		}
		return withBrowser
	}
	all := 0
	for i := range list {
		all += weight(i)
		if list[i].App == "" {
			order = append(order, i)
		} else {
			later = append(later, i)
		}
	}
	order, until = append(order, later...), make([]time.Time, len(list))
	start, done := time.Now(), 0
	for _, i := range order {
		done += weight(i)
		until[i] = start.Add(end.Sub(start) * time.Duration(done) / time.Duration(all))
	}
	return order, until
}

// measuring is the measurement of one workflow.
type measuring struct {
	*office
	f *corpus.Workflow
	l *learned
	times
	players *players // nil: not installed

	index       int // of the workflow
	perWorkflow int // how many faults to try

	first string // session of the first demonstration
	d     client.ProposalDetail
	names map[string]string // of the inputs, by the truth's key
}

func (m *measuring) all(ctx context.Context) error {
	if err := m.learn(ctx, 2); err != nil {
		return err
	}
	r, err := m.rehearse(ctx, m.f, m.d, m.names, 2, ledger.None)
	if err != nil {
		return err
	}
	m.l.Fresh = &r
	return m.faulty(ctx)
}

// forget deletes what was recorded.
func (m *measuring) forget(ctx context.Context) {
	if m.first != "" {
		_, _ = m.C.DeleteSession(context.WithoutCancel(ctx), m.first)
	}
}

// learn has the workflow demonstrated once or twice and compares the proposal each time.
func (m *measuring) learn(ctx context.Context, times int) (err error) {
	for n := range times {
		session, err := m.demonstrate(ctx, m.f, n, m.first)
		if err != nil {
			return fmt.Errorf("demonstration %d: %w", n+1, err)
		}
		if m.first == "" {
			m.first = session
		}
		if m.d, err = m.propose(ctx, m.first, m.l); err != nil {
			return fmt.Errorf("proposal %d: %w", n+1, err)
		}
		m.l.Inputs[n] = compare(m.f, m.d, n+1)
		if m.d.Verdict != nil {
			m.l.Verdicts[n] = m.d.Verdict.Result
		}
	}
	right, expected, misses := links(m.f, m.d, m.l.Inputs[1])
	m.l.Linked = [2]int{right, expected}
	m.l.Inputs[1].Misses = append(m.l.Inputs[1].Misses, misses...)
	if m.d, err = m.Answer(ctx, m.first, m.d); err != nil {
		return err
	}
	m.names = compare(m.f, m.d, 2).Names
	return nil
}

// races reports whether the workflow's demonstration is to be timed.
func (m *measuring) races() bool {
	return m.players != nil && timed[m.f.Name] && m.l.Fresh != nil && m.l.Fresh.OK
}

// compete has the workflow demonstrated once more and times its replay, beside the other players.
func (m *measuring) compete(ctx context.Context) (err error) {
	if time.Now().After(m.times.races) {
		fmt.Fprintf(os.Stderr, "%s: there was no time to race\n", m.f.Name)
		return nil
	}
	again := &measuring{office: m.office, f: m.f, l: &learned{Name: m.l.Name, Faults: map[ledger.Fault]run{}}, players: m.players,
		index: m.index}
	defer again.forget(ctx)
	if err := again.learn(ctx, 1); err != nil { // what is repeated as it was shown takes no second example, and time is short
		return err
	}
	m.l.Times, err = m.office.race(ctx, m.f, again.d, again.names, again.first, m.players)
	return err
}

// propose requests a draft and times it.
func (o *office) propose(ctx context.Context, session string, l *learned) (client.ProposalDetail, error) {
	start := time.Now()
	g, err := o.C.GenerateProposal(ctx, session)
	if err != nil {
		return client.ProposalDetail{}, err
	}
	l.Propose = append(l.Propose, time.Since(start))
	return o.C.Proposal(ctx, g.ProposalID)
}

// faulty performs the workflow under each of its faults, if it works without: otherwise a failure says nothing.
func (m *measuring) faulty(ctx context.Context) error {
	if !m.l.Fresh.OK || m.l.Fresh.Result == "" || m.l.Fresh.Result == "failed" {
		return nil
	}
	for _, fault := range m.chosen() {
		if time.Now().After(m.times.faults) {
			m.l.Skipped = append(m.l.Skipped, fault)
			continue
		}
		r, err := m.rehearse(ctx, m.f, m.d, m.names, 3, fault)
		if err != nil {
			return err
		}
		if r.OK || r.Result == "" {
			continue // the fault did not meet this run, or there was none
		}
		m.l.Faults[fault] = r
	}
	return nil
}

// chosen are the faults to try: few of each workflow, and others for the next one, so that every kind is covered.
func (m *measuring) chosen() []ledger.Fault {
	n := min(m.perWorkflow, len(m.f.Faults))
	var out []ledger.Fault
	for i := range n {
		out = append(out, m.f.Faults[(m.index+i)%len(m.f.Faults)])
	}
	return out
}

// caught reports whether a run under a fault ended worse than the one without.
func (l *learned) caught(f ledger.Fault) bool {
	r := l.Faults[f].Result
	return r != "passed" && (l.Fresh.Result == "passed" || r == "failed")
}

// line summarises the workflow in one line.
func (l *learned) line() string {
	if l.Problem != "" {
		return fmt.Sprintf("%-19s %s", l.Name, strings.Join(strings.Fields(l.Problem), " "))
	}
	in := func(f found) string { return fmt.Sprintf("%d/%d/%d", f.Right, f.Proposed, f.Expected) }
	fresh := "-"
	if l.Fresh != nil {
		fresh = fmt.Sprintf("%s/%v", or(l.Fresh.Result, "refused"), l.Fresh.OK)
	}
	caught := 0
	for f := range l.Faults {
		if l.caught(f) {
			caught++
		}
	}
	return fmt.Sprintf("%-19s inputs %s, %s  linked %d/%d  rehearsal %-14s faults %d/%d  %.1f s", l.Name, in(l.Inputs[0]), in(l.Inputs[1]),
		l.Linked[0], l.Linked[1], fresh,
		caught, len(l.Faults), l.Took.Seconds())
}

// misses lists what went wrong, one item per line.
func (l *learned) misses() (out []string) {
	for i, from := range []string{"one example", "two examples"} {
		for _, m := range l.Inputs[i].Misses {
			out = append(out, from+": "+m)
		}
	}
	if l.Fresh != nil && (!l.Fresh.OK || l.Fresh.Result != "passed") {
		out = append(out, "rehearsal "+or(l.Fresh.Result, "refused")+": "+l.Fresh.Why)
	}
	var faults []ledger.Fault
	for f := range l.Faults {
		if !l.caught(f) {
			faults = append(faults, f)
		}
	}
	slices.Sort(faults)
	for _, f := range faults {
		out = append(out, "not caught: "+string(f)+" ("+l.Faults[f].Why+")")
	}
	if len(l.Skipped) > 0 {
		out = append(out, fmt.Sprintf("no time for %d faults", len(l.Skipped)))
	}
	return out
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
