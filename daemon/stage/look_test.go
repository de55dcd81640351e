//go:build linux

package stage

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"showhow/bench/corpus"
	"showhow/daemon/capability/health"
	"showhow/daemon/rehearse"
	"showhow/daemon/rehearse/policy"
	"showhow/internal/clock"
)

// looks performs the look of a canary at a workflow, on the site at base.
func (h *theatre) looks(name, base string) rehearse.Result {
	h.t.Helper()
	f, out := h.draft(name)
	before, err := h.world.Ready(f, h.home, corpus.Seed+6)
	if err != nil {
		h.t.Fatal(err)
	}
	at, err := url.Parse(base)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), 5*time.Minute)
	defer cancel()
	return h.runner.Perform(ctx, rehearse.Request{Draft: out, Parameters: h.values(f, out, f.Values(before, 1)), StartURL: base,
		AllowHosts: []string{at.Host}, Policy: &rehearse.TestPolicy{PolicyID: clock.NewID(), Mode: rehearse.ReadOnly,
			MaxActions: rehearse.DefaultMaxActions, SchemaVersion: 1},
		Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunCanary},
			RunLabel: rehearse.LookLabel}})
}

// A look asks no other host than its site's, whatever the site's pages hold.
func TestALookAsksNoOtherHost(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	enemy := enemyHost(t)
	udp := enemy.packets.LocalAddr().String()
	ways := strings.NewReplacer("{enemy}", enemy.address, "{udp}", udp, "{port}", udp[strings.LastIndex(udp, ":")+1:]).Replace(waysOut)
	to, err := url.Parse(h.world.URL(corpus.Find("lend-book").App))
	if err != nil {
		t.Fatal(err)
	}
	var pages atomic.Int64
	site := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Header.Del("Accept-Encoding") },
		ModifyResponse: func(r *http.Response) error {
			if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
				return nil
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			pages.Add(1)
			body = append(body, ways...)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Length", fmt.Sprint(len(body)))
			r.Header.Del("Content-Security-Policy")
			return nil
		}})
	t.Cleanup(site.Close)
	res := h.looks("lend-book", site.URL+to.Path)
	passed := 0
	for _, s := range res.Steps {
		t.Logf("%s %s: %s %s", s.Result, s.TestCaseID, s.Code, s.Details)
		if s.Result == rehearse.StepPassed {
			passed++
		}
	}
	if passed < 5 || pages.Load() == 0 {
		t.Errorf("%d steps passed on %d pages that lead elsewhere: %s", passed, pages.Load(), res.Reason)
	}
	if tcp, udp := enemy.count(); tcp+udp > 0 {
		t.Errorf("%d connections %q and %d datagrams %q reached another host", tcp, enemy.tcp, udp, enemy.udp)
	}
}

// A look enters something in a field of a row and does not save it: that it is not kept is no failure of the skill.
func TestALookKeepsNothing(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	res := h.looks("set-level", h.world.URL(corpus.Find("set-level").App))
	if res.Overall != rehearse.Passed {
		t.Errorf("%s: %s", res.Overall, res.Reason)
	}
	if w := h.world.Apps[corpus.Find("set-level").App]; len(w.Ledger.Effects()) > 0 {
		t.Error("the application was written to")
	}
}

// What the policy holds back in the reading part, a tick in a form that holds a message, does not end a look: it sees that and the button
// below it.
func TestALookSeesWhatItMayNotDo(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	res := h.looks("schedule-letter", h.world.URL(corpus.Find("schedule-letter").App))
	if res.Overall != rehearse.Passed {
		t.Errorf("%s: %s", res.Overall, res.Reason)
	}
	for _, id := range []string{"canary.ahead.s7", "canary.ahead.s8"} {
		if !slices.ContainsFunc(res.Steps, func(s rehearse.ValidationStepResult) bool {
			return s.TestCaseID == id && s.Result == rehearse.StepPassed
		}) {
			t.Errorf("%s was not seen", id)
		}
	}
	if w := h.world.Apps[corpus.Find("schedule-letter").App]; len(w.Ledger.Effects()) > 0 {
		t.Error("the application was written to")
	}
}

// A look sends no report and sees what the demonstration did afterwards: on the page of another fault, and on the list.
func TestALookGlimpsesWhatComesAfterAForm(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	res := h.looks("report-fault", h.world.URL(corpus.Find("report-fault").App))
	if res.Overall != rehearse.Passed {
		t.Errorf("%s: %s", res.Overall, res.Reason)
	}
	for _, id := range []string{"s8", "s9", "s10", "s11"} {
		if !slices.Contains(res.Glimpsed, health.Glimpse{Step: id, There: true}) {
			t.Errorf("%s was not seen: %+v", id, res.Glimpsed)
		}
	}
	if w := h.world.Apps[corpus.Find("report-fault").App]; len(w.Ledger.Effects()) > 0 {
		t.Error("the application was written to")
	}
}

// What a look costs: processor time of the browser and of Showhow, from the browser's start to its end.
//
// It also says how far looks reach: the steps on pages that they perform or see on the page where they end, of all such steps of the
// corpus's workflows at which a look is possible, and those that they glimpse beyond. Commands are no part of a page.
func BenchmarkGrowthLook(b *testing.B) {
	h := newTheatre(b)
	var spent, took time.Duration
	looks, steps, reached, glimpsed := 0, 0, 0, 0
	for b.Loop() {
		for _, f := range corpus.All() {
			if f.Held {
				continue
			}
			_, out := h.draft(f.Name)
			if len(policy.CanaryPrefix(out)) == 0 && !policy.OpensFirst(out) {
				continue // nobody can allow looks at it
			}
			began, watched := time.Now(), watchProcessor()
			res := h.looks(f.Name, h.world.URL(f.App))
			spent, took, looks = spent+watched(), took+time.Since(began), looks+1
			if res.Overall == rehearse.Failed {
				b.Fatal(f.Name, res.Reason)
			}
			for _, s := range out.Graph.Steps {
				if s.Surface != policy.OnBrowser {
					continue
				}
				steps++
				if slices.ContainsFunc(res.Steps, func(r rehearse.ValidationStepResult) bool {
					return r.Result == rehearse.StepPassed && (r.TestCaseID == "canary.step."+s.StepID || r.TestCaseID == "canary.ahead."+s.StepID)
				}) {
					reached++
				} else if slices.Contains(res.Glimpsed, health.Glimpse{Step: s.StepID, There: true}) {
					glimpsed++
				}
			}
		}
	}
	b.ReportMetric(spent.Seconds()/float64(looks), "look_cpu_s")
	b.ReportMetric(took.Seconds()/float64(looks), "look_s")
	b.ReportMetric(float64(reached)/float64(steps), "look_reach_ratio")
	b.ReportMetric(float64(glimpsed)/float64(steps), "look_glimpse_ratio")
}

// watchProcessor begins to add up the processor time of this process and of all below it; the function that it returns ends that
// and gives the sum. What a process used after it was seen last is not in it: at most 10 ms each.
func watchProcessor() func() time.Duration {
	var before, after syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before) // a pointer to this process's own memory: cannot fail
	stop, sum := make(chan struct{}), make(chan time.Duration)
	go func() {
		used := map[string]time.Duration{} // by process
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			below(os.Getpid(), used)
			select {
			case <-tick.C:
			case <-stop:
				all := time.Duration(0)
				for _, d := range used {
					all += d
				}
				sum <- all
				return
			}
		}
	}()
	return func() time.Duration {
		close(stop)
		all := <-sum
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after) // likewise
		return all + cpuOf(after) - cpuOf(before)
	}
}

func cpuOf(r syscall.Rusage) time.Duration {
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// below notes the processor time of the processes below one.
func below(pid int, used map[string]time.Duration) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		b, _ := os.ReadFile(list)
		for id := range strings.FieldsSeq(string(b)) {
			child := 0
			_, _ = fmt.Sscan(id, &child)
			stat, _ := os.ReadFile("/proc/" + id + "/stat")
			_, rest, ok := strings.Cut(string(stat), ") ")
			if f := strings.Fields(rest); ok && len(f) > 19 {
				var user, system int64
				_, _ = fmt.Sscan(f[11]+" "+f[12], &user, &system)
				used[id+" "+f[19]] = time.Duration(user+system) * 10 * time.Millisecond // the kernel counts hundredths for programs
			}
			below(child, used)
		}
	}
}
