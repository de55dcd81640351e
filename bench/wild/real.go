package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/bench/office"
	"showhow/bench/wild/apps"
	"showhow/bench/wild/judge"
	"showhow/bench/wild/site"
	"showhow/daemon/client"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
)

// firstSightFile keeps the first result of each workflow of a real program. Nothing is fixed before it is written.
const firstSightFile = "bench/wild/firstsight.json"

// sighted is one of its entries.
type sighted struct {
	Outcome judge.Outcome `json:"outcome"`
	Result  string        `json:"result"`
	At      string        `json:"at"`
	Version string        `json:"version"`
}

// realRun is the result of a workflow of a real program.
type realRun struct {
	App, Workflow, Version string
	Problem                string
	Outcome                judge.Outcome
	Result, Why            string
	Found, Truths          int
	Claimed, Alarmed       bool
	Lied                   bool
	LieRun                 string
	PassLie                bool
}

func (r *realRun) name() string { return r.App + "/" + r.Workflow }

// lobby is an office with a gate before a program.
type lobby struct {
	*office.Office
	gate    *apps.Gate
	app     apps.App
	running *apps.Running
	before  apps.Facts
	dirs    int
}

// measureApps measures every workflow of the programs, one after the other.
func measureApps(ctx context.Context, bin string, list []apps.App) (out []*realRun) {
	for _, a := range list {
		if missing := a.Missing(); missing != "" {
			fmt.Fprintf(os.Stderr, "%s is not measured: %s is not installed\n", a.Name, missing)
			continue
		}
		for _, w := range a.Workflows {
			if ctx.Err() != nil {
				return out
			}
			r := &realRun{App: a.Name, Workflow: w.Name, Version: a.Version(ctx), Truths: len(w.Inputs)}
			if err := measureApp(ctx, bin, a, w, r); err != nil {
				r.Problem = strings.Join(strings.Fields(err.Error()), " ")
			}
			fmt.Fprintf(os.Stderr, "%-28s %-8s %-8s inputs %d/%d lie %v:%s %.500s%.400s\n", r.name(), r.Outcome, or(r.Result, "-"),
				r.Found, r.Truths, r.Lied, r.LieRun, r.Why, r.Problem)
			out = append(out, r)
		}
	}
	return out
}

func measureApp(ctx context.Context, bin string, a apps.App, w apps.Workflow, r *realRun) (err error) {
	l := &lobby{app: a}
	defer func() { l.close() }()
	if l.gate, err = apps.NewGate(a.Changes); err != nil {
		return err
	}
	if l.Office, err = office.Open(ctx, bin); err != nil {
		return err
	}
	if err := l.anew(ctx, false); err != nil {
		return err
	}
	if err := l.Sit(ctx, "http://"+l.gate.Host()); err != nil {
		return err
	}
	first := ""
	for n := range 2 {
		session, err := l.demonstrate(ctx, w, w.Values(n), first)
		if err != nil {
			return fmt.Errorf("demonstration %d: %w", n+1, err)
		}
		first = or(first, session)
	}
	if os.Getenv("CHECK") != "" {
		r.Problem = "the driver does it"
		return nil
	}
	g, err := l.C.GenerateProposal(ctx, first)
	if err != nil {
		r.Outcome, r.Why = judge.Refused, "no draft: "+err.Error()
		return nil
	}
	p, err := l.C.Proposal(ctx, g.ProposalID)
	if err != nil {
		return err
	}
	if p, err = l.Answer(ctx, first, p); err != nil {
		return err
	}
	names, err := l.names(ctx, w, first, p)
	if err != nil {
		return err
	}
	r.Found = len(names)
	run, err := l.rehearse(ctx, w, w.Values(2), p, names, false)
	if err != nil {
		return err
	}
	r.Result, r.Outcome, r.Why = run.Result, judge.Of(run.Run), run.why
	r.Claimed, r.Alarmed = judge.PassedNotDone(run.Run), judge.FailedDone(run.Run)
	if !run.Done() {
		return nil
	}
	lied, err := l.rehearse(ctx, w, w.Values(3), p, names, true)
	if err != nil {
		return err
	}
	r.Lied, r.LieRun, r.PassLie = l.gate.Lied(), lied.Result, judge.PassedNotDone(lied.Run)
	return nil
}

// anew restarts the program with fresh data behind the gate.
func (l *lobby) anew(ctx context.Context, lying bool) (err error) {
	if l.running != nil {
		l.running.Close()
	}
	l.dirs++
	dir := filepath.Join(l.Dir, fmt.Sprint("app", l.dirs))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	address, err := apps.Address()
	if err != nil {
		return err
	}
	if l.running, err = l.app.Start(ctx, dir, address); err != nil {
		return err
	}
	l.gate.Before(address, lying)
	l.before, err = l.running.Facts(ctx)
	return err
}

func (l *lobby) close() {
	if l.Office != nil {
		l.Office.Close()
	}
	if l.running != nil {
		l.running.Close()
	}
	if l.gate != nil {
		l.gate.Close()
	}
}

// effects converts facts for the judge.
func effects(f apps.Facts) (out []ledger.Effect) {
	for _, k := range sorted(f) {
		out = append(out, ledger.Effect{Verb: "set", Table: "facts", ID: k, Fields: map[string]string{"is": f[k]}})
	}
	return out
}

// changed is what has changed in the program's data.
func (l *lobby) changed(ctx context.Context) ([]ledger.Effect, error) {
	now, err := l.running.Facts(ctx)
	return effects(apps.Changed(l.before, now)), err
}

func (l *lobby) demonstrate(ctx context.Context, w apps.Workflow, v apps.Values, exampleOf string) (session string, err error) {
	if err := l.anew(ctx, false); err != nil {
		return "", err
	}
	created, err := l.C.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
		Scope: &client.Scope{Sites: []string{l.gate.Host()}, Shells: []string{}, Apps: []string{}, Folders: []string{}, Devices: []string{}},
		Goal:  w.Goal, ExampleOf: exampleOf})
	if err != nil {
		return "", err
	}
	session = created.Session.LearnSessionID
	if _, err := l.C.StartSession(ctx, session); err != nil {
		return session, err
	}
	shown := l.Indicate(ctx)
	defer shown()
	p := person.New(ctx)
	p.Base = "http://" + l.gate.Host()
	if p.Tab, err = l.Hands.NewTab(ctx, "about:blank"); err != nil {
		return session, err
	}
	defer p.Tab.Close(context.WithoutCancel(ctx))
	defer p.AnswerDialogs()()
	w.Demo(p, v)
	want := effects(w.Expect(v))
	var got []ledger.Effect
	if p.Err == nil {
		p.Err = p.Tab.Until(ctx, "the deed", func() bool {
			got, err = l.changed(ctx)
			return err == nil && len(got) > 0
		})
	}
	if p.Err != nil {
		return session, p.Err
	}
	if err := l.Settle(ctx, session); err != nil {
		return session, err
	}
	same := func() bool { // a page may keep what is written little by little
		got, err = l.changed(ctx)
		return err == nil && ledger.Same(want, got)
	}
	if p.Tab.Until(ctx, "all of the deed", same) != nil {
		return session, errors.Join(err, fmt.Errorf("the person did something else: %s; expected: %s", site.Happened(got), site.Happened(want)))
	}
	_, err = l.C.StopSession(ctx, session)
	return session, err
}

// names maps the draft's inputs to those that a person would expect: by the demonstrated value, else by name.
func (l *lobby) names(ctx context.Context, w apps.Workflow, session string, p client.ProposalDetail) (map[string]string, error) {
	out := map[string]string{}
	if p.Interpretation == nil || p.Graph == nil {
		return out, nil
	}
	opened, err := l.C.Values(ctx, session)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	take := func(key, name string) {
		if out[key] == "" && !used[name] {
			out[key], used[name] = name, true
		}
	}
	for _, in := range w.Inputs {
		for _, v := range opened.Values {
			i := slices.IndexFunc(p.Graph.Params, func(q wire.WorkflowParam) bool {
				return q.Role == "input" && (q.ParamID == v.ParamID || q.LinkID != "" && q.LinkID == v.LinkID)
			})
			if i >= 0 && (v.Value == w.Values(0)[in.Key] || v.Value == w.Values(1)[in.Key]) {
				take(in.Key, p.Graph.Params[i].Name)
			}
		}
	}
	for _, in := range w.Inputs {
		for _, q := range p.Interpretation.Inputs {
			if slices.Contains(in.Names, q.Name) {
				take(in.Key, q.Name)
			}
		}
	}
	return out, nil
}

func (l *lobby) rehearse(ctx context.Context, w apps.Workflow, v apps.Values, p client.ProposalDetail, names map[string]string,
	lying bool) (ran, error) {
	if err := l.anew(ctx, lying); err != nil {
		return ran{}, err
	}
	values := map[string]string{}
	for key, name := range names {
		values[name] = v[key]
	}
	forbid := !w.Grave
	policy := client.TestPolicy{PolicyID: policyID, Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: &forbid,
		ForbidExternalSend: &forbid, MaxActions: 120, SafeTargets: []client.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}},
		AllowedDomains: []string{l.gate.Host()}, SchemaVersion: 1}
	r := ran{Run: judge.Run{Expected: effects(w.Expect(v)), Shows: true}}
	begun, err := l.C.Validate(ctx, p.Proposal.ProposalID, client.ValidateRequest{RunKinds: []client.RunKind{rehearse.RunRehearsal},
		Parameters: values, TestPolicy: &policy, AllowHosts: policy.AllowedDomains})
	if err != nil {
		r.why = "refused: " + err.Error()
		return r, ctx.Err()
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	ended, steps, err := l.C.ValidationEnded(limited, p.Proposal.ProposalID, begun.ValidationRunID)
	if limited.Err() != nil {
		_, _ = l.C.CancelRun(context.WithoutCancel(ctx), begun.ValidationRunID)
		r.why = "the run did not end in time"
	} else if err != nil {
		return r, err
	} else {
		r.Result, r.why = string(ended.OverallResult), unpassed(ended, steps)
	}
	if os.Getenv("VERBOSE") != "" {
		fmt.Fprintf(os.Stderr, "%s/%s with %v; given %v\n", l.app.Name, w.Name, v, values)
		tellSteps(p, steps)
	}
	if r.Happened, err = l.changed(ctx); err == nil && !r.Done() {
		r.why = strings.Trim(r.why+"; happened: "+site.Happened(r.Happened)+"; expected: "+site.Happened(r.Expected), "; ")
	}
	return r, err
}

// real adds the results of real programs, and records first results.
func (r *report) real(runs []*realRun) {
	known := map[string]sighted{}
	b, err := os.ReadFile(firstSightFile)
	if err == nil {
		err = json.Unmarshal(b, &known)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "bench-wild:", err)
	}
	var right, n, runsAll, claimed, done, alarmed int
	for _, m := range runs {
		if m.Problem != "" {
			r.Misses[m.name()] = append(r.Misses[m.name()], "not measured: "+m.Problem)
			continue
		}
		if m.Why != "" {
			r.Misses[m.name()] = append(r.Misses[m.name()], fmt.Sprintf("%s (%s): %s", m.Outcome, or(m.Result, "refused"), m.Why))
		}
		if r.Apps[m.App] == nil {
			r.Apps[m.App] = judge.Tally{}
		}
		r.Apps[m.App][m.Outcome]++
		count := func(b bool, into *int) {
			if b {
				*into++
			}
		}
		runsAll++
		count(m.Claimed, &claimed)
		count(m.Lied, &runsAll)
		count(m.PassLie && m.Lied, &claimed)
		count(m.Outcome == judge.Right || m.Outcome == judge.Partial || m.Outcome == judge.Alarm, &done)
		count(m.Alarmed, &alarmed)
		if _, ok := known[m.name()]; !ok {
			known[m.name()] = sighted{Outcome: m.Outcome, Result: m.Result, At: time.Now().UTC().Format(time.DateOnly), Version: m.Version}
			continue
		}
		n++
		count(m.Outcome == judge.Right, &right)
	}
	first := 0
	for _, s := range known {
		if s.Outcome == judge.Right {
			first++
		}
	}
	r.Ratio("real_first_sight_right", first, len(known),
		"workflows of real programs that were right when they were measured first, by the programs' own data")
	r.Ratio("real_afterwards_right", right, n, "workflows right in this run, of those that had been measured before")
	r.Ratio("real_called_passed_not_done", claimed, runsAll,
		"runs on real programs called passed without the expected deed, behind a gate that lies too")
	r.Ratio("real_called_failed_done", alarmed, done, "runs on real programs called failed that had done exactly what was asked")
	if b, err = json.MarshalIndent(known, "", "  "); err == nil {
		err = os.WriteFile(firstSightFile, append(b, '\n'), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-wild:", err)
	}
}
