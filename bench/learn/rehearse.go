package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"showhow/bench/corpus"
	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/daemon/client"
	"showhow/daemon/rehearse"
)

// freshSeed is that of the data that rehearsals see: other records than those of the demonstrations.
const freshSeed = corpus.Seed + 6

// patience is how long one run may take.
const patience = 45 * time.Second

// run is what came of one rehearsal.
type run struct {
	Result string // passed, failed, partial, cancelled; "" when it was refused outright
	OK     bool   // by the record of what really happened
	Why    string // what did not pass, or why it was refused; and what happened instead
	Took   time.Duration
}

// rehearse performs the proposal with the n-th values, on fresh data, under a fault or none.
func (o *office) rehearse(ctx context.Context, f *corpus.Workflow, d client.ProposalDetail, names map[string]string, n int, fault ledger.Fault) (r run, err error) {
	before, err := o.world.Ready(f, o.home, freshSeed)
	if err != nil {
		return r, err
	}
	v := f.Values(before, n)
	if fault != ledger.None {
		if err := o.world.Fail(f, o.home, fault, v); err != nil {
			return r, err
		}
	}
	var w *witness
	if f.Made != nil {
		w = watchFor(o, f.Made(v))
	}
	start := time.Now()
	res, steps, err := o.perform(ctx, f, d, o.parameters(f, v, names, d))
	r.Took = time.Since(start)
	if w != nil {
		w.end()
	}
	if f.App != "" {
		o.world.Apps[f.App].Ledger.Fail(ledger.None)
	}
	if os.Getenv("VERBOSE") != "" {
		fmt.Fprintf(os.Stderr, "  %s %s: %s %v after %.1f s\n", f.Name, or(string(fault), "no fault"), res.OverallResult, err, r.Took.Seconds())
		for _, s := range steps {
			fmt.Fprintf(os.Stderr, "    %6.3f s %-7s %s %s %s\n", s.CreatedAt.Sub(res.StartedAt.Time).Seconds(), s.Result, s.Label, s.Code, s.Details)
		}
	}
	if err != nil {
		r.Why = "refused: " + err.Error()
	} else {
		r.Result, r.Why = string(res.OverallResult), unpassed(res, steps)
	}
	var why string
	r.OK, why = o.happened(f, before, v, w)
	if !r.OK {
		r.Why = strings.Trim(r.Why+"; "+why, "; ")
	}
	return r, nil
}

// happened judges by the application's ledger and by the files that were seen.
func (o *office) happened(f *corpus.Workflow, before *apps.App, v corpus.Values, w *witness) (bool, string) {
	if w == nil {
		return f.Succeeded(before, o.world.Apps[f.App], o.home, v)
	}
	return f.Succeeded(before, o.world.Apps[f.App], w.kept, v)
}

// parameters are the run's values by the proposal's names. Files are named by where they are.
func (o *office) parameters(f *corpus.Workflow, v corpus.Values, names map[string]string, d client.ProposalDetail) map[string]string {
	out := map[string]string{}
	for _, in := range f.Inputs {
		name := names[in.Key]
		if name == "" {
			continue
		}
		out[name] = v[in.Key]
		for _, p := range d.Interpretation.Inputs {
			path := filepath.Join(o.home, f.Folder, v[in.Key])
			if _, err := os.Stat(path); p.Name == name && p.Kind == "file" && f.Folder != "" && !f.Shell && err == nil {
				out[name] = path
			}
		}
	}
	return out
}

// perform asks for the run and waits for its end.
func (o *office) perform(ctx context.Context, f *corpus.Workflow, d client.ProposalDetail, values map[string]string) (client.ValidationRun, []client.ValidationStepResult, error) {
	policy := client.TestPolicy{PolicyID: policyID, Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: new(false), ForbidExternalSend: new(false), MaxActions: 120,
		SafeTargets: []client.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}, SchemaVersion: 1}
	req := client.ValidateRequest{RunKinds: []client.RunKind{rehearse.RunRehearsal}, Parameters: values, TestPolicy: &policy}
	if f.App != "" {
		policy.AllowedDomains = []string{o.world.Site(f.App)}
		req.AllowHosts = policy.AllowedDomains
	}
	id := d.Proposal.ProposalID
	r, err := o.c.Validate(ctx, id, req)
	if err != nil {
		return r, nil, err
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	ended, steps, err := o.c.ValidationEnded(limited, id, r.ValidationRunID)
	if limited.Err() != nil {
		_, _ = o.c.CancelRun(ctx, r.ValidationRunID)
		return r, steps, errors.New("the run did not end in time")
	}
	return ended, steps, err
}

// policyID names the policy of every run; it only has to be an id.
const policyID = "00000000-0000-7000-8000-00000000c0de"

// unpassed names what did not pass, first things first.
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

// witness keeps what a run makes: its scratch folder is gone when it ends.
type witness struct {
	kept string
	stop chan struct{}
	done chan struct{}
}

// watchFor looks again and again, in the scratch folders of the daemon, for the files of these paths below a home.
func watchFor(o *office, made map[string]string) *witness {
	w := &witness{kept: filepath.Join(o.dir, "witness"), stop: make(chan struct{}), done: make(chan struct{})}
	_ = os.RemoveAll(w.kept)
	names := map[string]string{} // the end of a path -> where it is kept
	for path := range made {
		_, rest, _ := strings.Cut(path, "/")
		names[rest] = path
	}
	rooms := filepath.Join(o.home, ".local", "state", "showhow", "rehearsals")
	look := func() {
		_ = filepath.WalkDir(rooms, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() && e.Name() == "profile" {
				return filepath.SkipDir
			}
			for end, at := range names {
				if !e.IsDir() && strings.HasSuffix(path, "/"+end) {
					keep(path, filepath.Join(w.kept, at))
				}
			}
			return nil
		})
	}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(2 * time.Millisecond) // a command and the look at its file take longer
		defer tick.Stop()
		for {
			look()
			select {
			case <-w.stop:
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

// keep copies a file; one that goes away meanwhile leaves what was seen of it before.
func keep(from, to string) {
	b, err := os.ReadFile(from)
	if err != nil || os.MkdirAll(filepath.Dir(to), 0o700) != nil {
		return
	}
	_ = os.WriteFile(to, b, 0o600)
}

func (w *witness) end() {
	close(w.stop)
	<-w.done
}
