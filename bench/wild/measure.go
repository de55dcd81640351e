package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/bench/office"
	"showhow/bench/wild/cases"
	"showhow/bench/wild/hand"
	"showhow/bench/wild/judge"
	"showhow/bench/wild/site"
	"showhow/daemon/client"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// measured is all that is known about one case. Failures of unseen libraries are recorded without a cause.
type measured struct {
	Case    string     `json:"case"`
	Seed    uint64     `json:"seed"`
	Library string     `json:"library"`
	Kind    cases.Kind `json:"kind"`
	Variant string     `json:"variant,omitempty"`
	Lang    string     `json:"lang"`
	Traits  []string   `json:"traits,omitempty"`
	Unseen  bool       `json:"unseen,omitempty"`

	Problem string        `json:"problem,omitempty"` // it was not shown, or could not be measured
	Verdict string        `json:"verdict,omitempty"`
	Found   int           `json:"found"` // inputs that a person would expect and the draft has
	Truths  int           `json:"truths"`
	Extra   []string      `json:"extra,omitempty"` // unexpected inputs
	Result  string        `json:"result"`
	Outcome judge.Outcome `json:"outcome,omitempty"`
	Why     string        `json:"why,omitempty"`
	Grave   bool          `json:"grave"`              // the deed cannot be taken back
	Marked  bool          `json:"marked,omitempty"`   // the draft has a step that it says cannot be taken back
	Held    bool          `json:"held,omitempty"`     // the run was held back by the policy
	Lie     site.Lie      `json:"lie,omitempty"`      // that it was tried under as well
	LieRun  string        `json:"lie_run,omitempty"`  // what came of it
	PassLie bool          `json:"pass_lie,omitempty"` // passed there
	Claimed bool          `json:"claimed,omitempty"`  // passed and not done, on an honest site
	Alarmed bool          `json:"alarmed,omitempty"`  // failed and done
	Seconds float64       `json:"seconds"`
}

// measureCases draws cases and has several offices measure them at once, until there are enough or the time is over.
func measureCases(ctx context.Context, bin string, s *settings) []*measured {
	var mu sync.Mutex
	var out []*measured
	next := make(chan *cases.Case)
	go func() {
		defer close(next)
		end := time.Now().Add(s.budget)
		for i := 0; s.n == 0 || i < s.n; i++ {
			seed, lib := s.seed+uint64(i), s.libs[i%len(s.libs)]
			if s.one != 0 {
				seed, lib = s.one, s.libs[0]
			}
			c := cases.Draw(seed, lib, s.kinds)
			if s.n == 0 && time.Now().After(end) {
				return
			}
			if c == nil {
				continue
			}
			select {
			case next <- c:
			case <-ctx.Done():
				return
			}
			if s.one != 0 {
				return
			}
		}
	}()
	file, err := openCases()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-wild: cases are not written down:", err)
	}
	defer file.Close()
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			var d *desk
			defer func() { d.close() }()
			for c := range next {
				if d == nil {
					if d, err = openDesk(ctx, bin, s); err != nil {
						fmt.Fprintln(os.Stderr, "bench-wild:", err)
						continue
					}
				}
				m := d.measure(ctx, c)
				mu.Lock()
				out = append(out, m)
				write(file, m)
				mu.Unlock()
				fmt.Fprintln(os.Stderr, m.line())
				if m.Problem != "" { // a new office for the next case: the state of this one is unknown
					d.close()
					d = nil
				}
			}
		})
	}
	wg.Wait()
	return out
}

// desk is an office with a site.
type desk struct {
	*office.Office
	s    *settings
	site *site.Site
}

func openDesk(ctx context.Context, bin string, s *settings) (*desk, error) {
	d := &desk{s: s}
	var err error
	if d.site, err = site.New(bundles); err != nil {
		return nil, err
	}
	d.site.Set(cases.Draw(1, cases.Libraries[0], nil).Load(0), site.Honest)
	if d.Office, err = office.Open(ctx, bin); err == nil {
		err = d.Sit(ctx, d.site.URL())
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *desk) close() {
	if d == nil {
		return
	}
	if d.Office != nil {
		d.Office.Close()
	}
	if d.site != nil {
		d.site.Close()
	}
}

// uploads is the folder of the files to upload.
func (d *desk) uploads() string { return filepath.Join(d.Home, "Papers") }

// measure measures one case.
func (d *desk) measure(ctx context.Context, c *cases.Case) *measured {
	start := time.Now()
	m := &measured{Case: c.String(), Seed: c.Seed, Library: c.Library, Kind: c.Spec.Kind, Variant: c.Spec.Variant, Lang: c.Spec.Lang,
		Traits: traits(c), Unseen: slices.Contains(d.s.unseen, c.Library), Grave: c.Grave(), Truths: len(c.Truths())}
	first, err := d.learn(ctx, c, m)
	if first != "" {
		defer func() { _, _ = d.C.DeleteSession(context.WithoutCancel(ctx), first) }()
	}
	if err != nil {
		m.Problem = strings.Join(strings.Fields(err.Error()), " ")
	}
	m.Seconds = time.Since(start).Seconds()
	return m
}

// learn has the case demonstrated twice, drafted, answered and rehearsed.
func (d *desk) learn(ctx context.Context, c *cases.Case, m *measured) (first string, err error) {
	for n := range 2 {
		session, err := d.demonstrate(ctx, c.Load(n), first)
		if first == "" {
			first = session
		}
		if err != nil {
			return first, fmt.Errorf("demonstration %d: %w", n+1, err)
		}
	}
	g, err := d.C.GenerateProposal(ctx, first)
	if err != nil {
		return first, d.undrafted(m, err)
	}
	p, err := d.C.Proposal(ctx, g.ProposalID)
	if err != nil {
		return first, err
	}
	if p, err = d.Answer(ctx, first, p); err != nil {
		return first, d.undrafted(m, err)
	}
	if p.Verdict != nil {
		m.Verdict = p.Verdict.Result
	}
	if p.Graph != nil {
		m.Marked = slices.ContainsFunc(p.Graph.Steps, func(s wire.WorkflowStep) bool { return s.Grave })
	}
	names, err := d.names(ctx, c, first, p, m)
	if err != nil {
		return first, err
	}
	run, err := d.rehearse(ctx, c.Load(2), site.Honest, p, names, m)
	if err != nil {
		return first, err
	}
	m.Result, m.Outcome = run.Result, judge.Of(run.Run)
	m.Claimed, m.Alarmed = judge.PassedNotDone(run.Run), judge.FailedDone(run.Run)
	if m.Outcome != judge.Right {
		m.Why = run.why
	}
	if run.Done() && run.Result != "" && d.s.lies > 0 && c.Seed%uint64(d.s.lies) == 0 {
		m.Lie = site.Lies[c.Seed/uint64(d.s.lies)%uint64(len(site.Lies))]
		lied, err := d.rehearse(ctx, c.Load(3), m.Lie, p, names, nil)
		if err != nil {
			return first, err
		}
		if !d.site.Lied() {
			m.Lie = site.Honest // it never came to its deed
		}
		m.LieRun, m.PassLie = lied.Result, judge.PassedNotDone(lied.Run)
	}
	return first, nil
}

// undrafted handles a demonstration without a draft: that is an outcome, not a problem of the measurement.
func (d *desk) undrafted(m *measured, err error) error {
	m.Outcome, m.Why = judge.Refused, "no draft: "+err.Error()
	return nil
}

// demonstrate has the load's task done once and recorded; it returns the stopped session's id.
func (d *desk) demonstrate(ctx context.Context, l *cases.Load, exampleOf string) (session string, err error) {
	d.site.Set(l, site.Honest)
	if err := d.papers(l); err != nil {
		return "", err
	}
	scope := client.Scope{Sites: []string{d.site.Host()}, Shells: []string{}, Apps: []string{}, Folders: []string{}, Devices: []string{}}
	if l.Spec.Kind == cases.Upload {
		scope.Folders = append(scope.Folders, d.uploads())
	}
	created, err := d.C.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
		Scope: &scope, Goal: l.Case.Goal(), ExampleOf: exampleOf})
	if err != nil {
		return "", err
	}
	session = created.Session.LearnSessionID
	defer func() {
		if err != nil {
			_, _ = d.C.CancelSession(context.WithoutCancel(ctx), session, "the demonstration failed")
		}
	}()
	if _, err := d.C.StartSession(ctx, session); err != nil {
		return session, err
	}
	shown := d.Indicate(ctx)
	defer shown()
	p := person.New(ctx)
	p.Base = d.site.URL()
	if p.Tab, err = d.Hands.NewTab(ctx, "about:blank"); err != nil {
		return session, err
	}
	defer p.Tab.Close(context.WithoutCancel(ctx))
	defer p.AnswerDialogs()()
	hand.Do(p, l, d.uploads())
	if p.Err == nil {
		p.Err = p.Tab.Until(ctx, "the deed", func() bool { return len(d.site.Effects()) > 0 })
	}
	if p.Err != nil {
		return session, p.Err
	}
	if err := d.Settle(ctx, session); err != nil {
		return session, err
	}
	if got := d.site.Effects(); !ledger.Same(l.Expected(), got) {
		return session, fmt.Errorf("the person did something else: %s; expected: %s", site.Happened(got), site.Happened(l.Expected()))
	}
	if d.s.raw {
		if err := d.observed(ctx, session); err != nil {
			return session, err
		}
	}
	_, err = d.C.StopSession(ctx, session)
	return session, err
}

// observed prints what was observed in a session, the first hundred observations of it.
func (d *desk) observed(ctx context.Context, session string) error {
	list, err := d.C.Observations(ctx, session, client.PageQuery{PageSize: 100})
	if err != nil {
		return fmt.Errorf("reading what was observed: %w", err)
	}
	for _, o := range list.Observations {
		b, err := json.Marshal(o)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "  # %s\n", b)
	}
	return nil
}

// papers creates the files of a load.
func (d *desk) papers(l *cases.Load) error {
	err := os.MkdirAll(d.uploads(), 0o700)
	for _, f := range l.Spec.Fields {
		if f.Type == "file" {
			err = errors.Join(err, os.WriteFile(filepath.Join(d.uploads(), l.Values[f.Key]), []byte("A line of "+f.Label+"\n"), 0o600))
		}
	}
	return err
}

// ran is a rehearsal.
type ran struct {
	judge.Run
	why string
}

// patience is how long one run may take.
const patience = 90 * time.Second

// policyID names the policy of every run; it only has to be an id.
const policyID = "00000000-0000-7000-8000-00000000c0de"

// rehearse performs the draft on a load. A reversible task is tried as the command line does, without permission to
// destroy or send; m records where that was held back.
func (d *desk) rehearse(ctx context.Context, l *cases.Load, lie site.Lie, p client.ProposalDetail, names map[string]string,
	m *measured) (ran, error) {
	d.site.Set(l, lie)
	if err := d.papers(l); err != nil {
		return ran{}, err
	}
	values := map[string]string{}
	for key, name := range names {
		values[name] = or(l.Values[key], l.Asides[key])
		if key == "file" {
			values[name] = filepath.Join(d.uploads(), l.Values[key])
		}
	}
	forbid := !l.Case.Grave()
	policy := client.TestPolicy{PolicyID: policyID, Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: &forbid,
		ForbidExternalSend: &forbid, MaxActions: 120, SafeTargets: []client.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}},
		AllowedDomains: []string{d.site.Host()}, SchemaVersion: 1}
	req := client.ValidateRequest{RunKinds: []client.RunKind{rehearse.RunRehearsal}, Parameters: values, TestPolicy: &policy,
		AllowHosts: policy.AllowedDomains}
	id := p.Proposal.ProposalID
	r := ran{Run: judge.Run{Expected: l.Expected(), Shows: l.Spec.Persist}}
	begun, err := d.C.Validate(ctx, id, req)
	if err != nil {
		if m != nil && fault.From(err).Code == fault.TestPolicyViolation {
			m.Held = true
		}
		r.why = "refused: " + err.Error()
		if d.s.verbose {
			d.tell(l, p, values, nil)
		}
		return r, ctx.Err()
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	ended, steps, err := d.C.ValidationEnded(limited, id, begun.ValidationRunID)
	if limited.Err() != nil {
		_, _ = d.C.CancelRun(context.WithoutCancel(ctx), begun.ValidationRunID)
		r.why = "the run did not end in time"
	} else if err != nil {
		return r, err
	} else {
		r.Result, r.why = string(ended.OverallResult), unpassed(ended, steps)
	}
	held := func(s client.ValidationStepResult) bool { return s.Code == string(fault.TestPolicyViolation) }
	if m != nil && slices.ContainsFunc(steps, held) {
		m.Held = true
	}
	if d.s.verbose {
		d.tell(l, p, values, steps)
	}
	if r.Happened = d.site.Effects(); !r.Done() {
		r.why = strings.Trim(r.why+"; happened: "+site.Happened(r.Happened)+"; expected: "+site.Happened(r.Expected), "; ")
	}
	return r, nil
}

// unpassed names what did not pass, in order.
func unpassed(r client.ValidationRun, steps []client.ValidationStepResult) string {
	var out []string
	for _, s := range steps {
		if s.Result != rehearse.StepPassed && len(out) < 2 {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s: %s %s", s.Result, s.Label, s.Code, s.Details)))
		}
	}
	if len(out) == 0 && r.OverallResult != rehearse.Passed {
		out = append(out, r.Reason)
	}
	return strings.Join(out, "; ")
}
