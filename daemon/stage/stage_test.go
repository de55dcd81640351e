package stage

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/bench/corpus"
	"showhow/bench/corpus/ledger"
	"showhow/browser"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse"
	"showhow/daemon/sandbox"
	"showhow/internal/clock"
)

// theatre performs recorded workflows on the corpus applications, in a real Chromium and the real sandbox.
type theatre struct {
	t      testing.TB
	world  *corpus.World
	home   string
	stage  *Stage
	runner *rehearse.Runner
}

func newTheatre(t testing.TB) *theatre {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("install chromium: ", err)
		}
		t.Skip(err)
	}
	w, err := corpus.NewWorld()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	dir := t.TempDir()
	s := New(Options{Dir: filepath.Join(dir, "rehearsals"), Browser: browser.Options{NoSandbox: true},
		Managed: browser.NewManager(browser.Options{})})
	s.shared = idle.take(t, s.browser)
	h := &theatre{t: t, world: w, home: filepath.Join(dir, "home"), stage: s}
	h.runner = rehearse.New(rehearse.Options{Stage: s, Home: h.home})
	t.Cleanup(func() { _ = h.runner.Close() })
	return h
}

// browsers are those that theatres share, one after the other. They end after the last test.
type browsers struct {
	mu   sync.Mutex
	all  []*shared
	free []*shared
}

var idle browsers

// take returns one that no other test has, until the test ends.
func (i *browsers) take(t testing.TB, o browser.Options) *shared {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := slices.IndexFunc(i.free, func(s *shared) bool { return s.options.Path == o.Path })
	if n < 0 {
		i.all = append(i.all, &shared{options: o})
		i.free, n = append(i.free, i.all[len(i.all)-1]), len(i.free)
	}
	s := i.free[n]
	i.free = slices.Delete(i.free, n, n+1)
	t.Cleanup(func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.free = append(i.free, s)
	})
	return s
}

func TestMain(m *testing.M) {
	code := m.Run()
	if left := unmet(); code == 0 && flag.Lookup("test.run").Value.String() == "" && len(left) > 0 {
		code = 1
		os.Stderr.WriteString("no test came to " + strings.Join(left, "; ") + "\n")
	}
	for _, s := range idle.all {
		if err := s.Close(); err != nil {
			code = 1
			os.Stderr.WriteString(err.Error() + "\n")
		}
	}
	os.Exit(code)
}

// draft compiles the recorded demonstrations of a workflow; every value that can be is an input.
func (h *theatre) draft(name string) (*corpus.Workflow, compile.Output) {
	h.t.Helper()
	tr, err := corpus.ReadTrace(filepath.Join("..", "..", "bench", "corpus", corpus.TraceDir, name+".json"))
	if err != nil {
		h.t.Fatal(err)
	}
	in := compile.Input{Goal: tr.Goal, EntryMode: "demonstrating_skill", ExecutionMode: "guided", Values: tr.Values, Now: clock.Now(),
		Answers: map[string]string{}}
	for _, d := range tr.Demonstrations {
		in.Traces = append(in.Traces, compile.Trace{TraceID: clock.NewID(), SessionID: clock.NewID(), Records: d.Records})
	}
	out, err := compile.Compile(in)
	if err != nil {
		h.t.Fatal(err)
	}
	return corpus.Find(name), out
}

// values are the n-th ones by the draft's names.
func (h *theatre) values(f *corpus.Workflow, out compile.Output, v corpus.Values) map[string]string {
	got := map[string]string{}
	for _, in := range f.Inputs {
		for _, p := range out.Interpretation.Inputs {
			if slices.Contains(in.Names, p.Name) {
				got[p.Name] = v[in.Key]
				if path := filepath.Join(h.home, f.Folder, v[in.Key]); p.Kind == "file" && f.Folder != "" && !f.Shell {
					got[p.Name] = path
				}
				break
			}
		}
	}
	return got
}

// all is a policy under which nothing is forbidden but other sites.
func all() *rehearse.TestPolicy {
	no := false
	return &rehearse.TestPolicy{PolicyID: clock.NewID(), Mode: rehearse.ControlledLiveTest, ForbidDestructiveWrites: &no,
		ForbidExternalSend: &no, MaxActions: 120,
		SafeTargets: []rehearse.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}, SchemaVersion: 1}
}

// perform rehearses a workflow on fresh data and says whether it really happened.
func (h *theatre) perform(name string, n int, fault ledger.Fault, policy *rehearse.TestPolicy) (rehearse.Result, bool) {
	h.t.Helper()
	f, out := h.draft(name)
	before, err := h.world.Ready(f, h.home, corpus.Seed+6)
	if err != nil {
		h.t.Fatal(err)
	}
	v := f.Values(before, n)
	if fault != ledger.None {
		if err := h.world.Fail(f, h.home, fault, v); err != nil {
			h.t.Fatal(err)
		}
		if f.App != "" {
			defer h.world.Apps[f.App].Ledger.Fail(ledger.None)
		}
	}
	req := rehearse.Request{Draft: out, Policy: policy, Parameters: h.values(f, out, v), StartURL: h.world.URL(f.App),
		Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}}
	if f.App != "" {
		req.AllowHosts = []string{h.world.Site(f.App)}
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), 5*time.Minute)
	defer cancel()
	start := time.Now()
	res := h.runner.Perform(ctx, req)
	ok, why := true, ""
	if f.Made == nil {
		ok, why = f.Succeeded(before, h.world.Apps[f.App], h.home, v)
	}
	h.t.Logf("%s %s: %s in %.1f s, happened %v %s", name, fault, res.Overall, time.Since(start).Seconds(), ok, why)
	if res.Overall != rehearse.Passed || testing.Verbose() && os.Getenv("STEPS") != "" {
		h.t.Log(res.Reason)
		for _, s := range res.Steps {
			h.t.Logf("  %s %-8s %s: %s (%s) %s", s.CreatedAt.Format("05.000"), s.Result, strings.TrimPrefix(s.TestCaseID, "rehearsal."), s.Label,
				s.Code, s.Details)
		}
	}
	return res, ok
}

// What is performed really happens, by the application's own record; a page that only claims it does not pass.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	work := []string{"lend-book", "lend-book/claim", "create-card", "set-quantity", "tag-release", "pack-album", "compress-logs",
		"set-manager/broken"}
	if other := os.Getenv("WORK"); other != "" {
		work = strings.Fields(other)
	}
	for _, w := range work {
		name, fault, _ := strings.Cut(w, "/")
		if err := sandbox.Probe(); err != nil && corpus.Find(name).Shell {
			t.Logf("%s is left out: %v", name, err)
			continue
		}
		res, happened := h.perform(name, 2, ledger.Fault(fault), all())
		switch {
		case fault == "" && (!happened || res.Overall != rehearse.Passed && res.Overall != rehearse.Partial):
			t.Errorf("%s: %s %s", w, res.Overall, res.Reason)
		case fault != "" && res.Overall == rehearse.Passed:
			t.Errorf("%s: it passed, and nothing happened", w)
		}
		left, err := os.ReadDir(h.stage.dir)
		if err == nil && len(left) > 0 {
			t.Errorf("%s: %d folders are left", w, len(left))
		}
	}
}
