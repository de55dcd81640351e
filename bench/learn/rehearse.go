package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"showhow/bench/corpus"
	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/daemon/client"
	"showhow/daemon/rehearse"
)

// freshSeed is the seed of the data that rehearsals see: other records than those of the demonstrations.
const freshSeed = corpus.Seed + 6

// patience is how long one run may take.
const patience = 45 * time.Second

// run is the result of one rehearsal.
type run struct {
	Result string // passed, failed, partial, cancelled; "" when it was refused outright
	OK     bool   // by the record of what really happened
	Why    string // what did not pass, or why it was refused; and what happened instead
	Took   time.Duration
}

// rehearse performs the proposal with the n-th values, on fresh data, with or without a fault.
func (o *office) rehearse(ctx context.Context, f *corpus.Workflow, d client.ProposalDetail, names map[string]string, n int,
	fault ledger.Fault) (r run, err error) {
	before, err := o.world.Ready(f, o.Home, freshSeed)
	if err != nil {
		return r, err
	}
	v := f.Values(before, n)
	if fault != ledger.None {
		if err := o.world.Fail(f, o.Home, fault, v); err != nil {
			return r, err
		}
	}
	var w *witness
	if f.Made != nil {
		if w, err = watchFor(o, f.Made(v)); err != nil {
			return r, err
		}
	}
	start := time.Now()
	res, steps, err := o.perform(ctx, f, d, o.parameters(f, v, names, d))
	r.Took = time.Since(start)
	if w != nil {
		if e := w.end(); e != nil {
			return r, e
		}
	}
	if f.App != "" {
		o.world.Apps[f.App].Ledger.Fail(ledger.None)
	}
	if os.Getenv("VERBOSE") != "" {
		fmt.Fprintf(os.Stderr, "  %s %s: %s %v after %.1f s\n", f.Name, or(string(fault), "no fault"), res.OverallResult, err, r.Took.Seconds())
		for _, s := range steps {
			fmt.Fprintf(os.Stderr, "    %6.3f s %-7s %s %s %s\n", s.CreatedAt.Sub(res.StartedAt.Time).Seconds(), s.Result, s.Label, s.Code,
				s.Details)
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

// happened decides by the application's ledger and by the files that were seen.
func (o *office) happened(f *corpus.Workflow, before *apps.App, v corpus.Values, w *witness) (bool, string) {
	if w == nil {
		return f.Succeeded(before, o.world.Apps[f.App], o.Home, v)
	}
	return f.Succeeded(before, o.world.Apps[f.App], w.kept, v)
}

// parameters are the run's values by the proposal's names. Files are named by their paths.
func (o *office) parameters(f *corpus.Workflow, v corpus.Values, names map[string]string, d client.ProposalDetail) map[string]string {
	out := map[string]string{}
	for _, in := range f.Inputs {
		name := names[in.Key]
		if name == "" {
			continue
		}
		out[name] = v[in.Key]
		for _, p := range d.Interpretation.Inputs {
			path := filepath.Join(o.Home, f.Folder, v[in.Key])
			if _, err := os.Stat(path); p.Name == name && p.Kind == "file" && f.Folder != "" && !f.Shell && err == nil {
				out[name] = path
			}
		}
	}
	return out
}

// perform requests the run and waits for its end.
func (o *office) perform(ctx context.Context, f *corpus.Workflow, d client.ProposalDetail, values map[string]string) (client.ValidationRun,
	[]client.ValidationStepResult, error) {
	policy := client.TestPolicy{PolicyID: policyID, Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: new(false),
		ForbidExternalSend: new(false), MaxActions: 120,
		SafeTargets: []client.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}, SchemaVersion: 1}
	req := client.ValidateRequest{RunKinds: []client.RunKind{rehearse.RunRehearsal}, Parameters: values, TestPolicy: &policy}
	if f.App != "" {
		policy.AllowedDomains = []string{o.world.Site(f.App)}
		req.AllowHosts = policy.AllowedDomains
	}
	id := d.Proposal.ProposalID
	r, err := o.C.Validate(ctx, id, req)
	if err != nil {
		return r, nil, err
	}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	ended, steps, err := o.C.ValidationEnded(limited, id, r.ValidationRunID)
	if limited.Err() != nil {
		_, _ = o.C.CancelRun(ctx, r.ValidationRunID)
		return r, steps, errors.New("the run did not end in time")
	}
	return ended, steps, err
}

// policyID names the policy of every run; it only has to be an id.
const policyID = "00000000-0000-7000-8000-00000000c0de"

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

// witness keeps what a run creates: its scratch folder is gone when the run ends.
type witness struct {
	kept  string
	rooms *fsnotify.Watcher
	files map[string]*os.File // by where each is kept; what is open can be read when its name is gone
	done  chan struct{}
}

// watchFor opens the files of these paths in the daemon's scratch folders below a home as soon as they appear.
func watchFor(o *office, made map[string]string) (*witness, error) {
	w := &witness{kept: filepath.Join(o.Dir, "witness"), files: map[string]*os.File{}, done: make(chan struct{})}
	names := map[string]string{} // the end of a path -> where it is kept
	for path := range made {
		_, rest, _ := strings.Cut(path, "/")
		names[rest] = path
	}
	rooms := filepath.Join(o.Home, ".local", "state", "showhow", "rehearsals")
	var err error
	if err = errors.Join(os.RemoveAll(w.kept), os.MkdirAll(rooms, 0o700)); err == nil {
		w.rooms, err = fsnotify.NewWatcher()
	}
	if err != nil {
		return nil, err
	}
	look := func(from string) {
		_ = filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
			switch {
			case err != nil || e.IsDir() && e.Name() == "profile":
				return filepath.SkipDir
			case e.IsDir():
				_ = w.rooms.Add(path) // before what is in it is listed
				return nil
			}
			for end, at := range names {
				if !strings.HasSuffix(path, "/"+end) {
					continue
				}
				if f, err := os.Open(path); err == nil {
					_ = w.files[at].Close() // it was made anew
					w.files[at] = f
				}
			}
			return nil
		})
	}
	look(rooms)
	go func() {
		defer close(w.done)
		for {
			select {
			case e, open := <-w.rooms.Events:
				if !open {
					return
				}
				if e.Has(fsnotify.Create) {
					look(e.Name)
				}
			case err := <-w.rooms.Errors:
				if err != nil {
					fmt.Fprintln(os.Stderr, "what a run makes:", err)
				}
			}
		}
	}()
	return w, nil
}

// end writes down what was created.
func (w *witness) end() error {
	err := w.rooms.Close()
	<-w.done
	for at, f := range w.files {
		to := filepath.Join(w.kept, at)
		b, e := io.ReadAll(f)
		err = errors.Join(err, e, f.Close(), os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, b, 0o600))
	}
	return err
}
