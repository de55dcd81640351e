package demo

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"showhow/daemon/client"
	"showhow/demo/driver"
	"showhow/internal/canary"
)

// A demonstration with everything that must leave no trace: a password, a token, a private command, the text of a
// page outside the scope and what is typed there, and free text. It searches every byte of the data directory, the
// logs, the skill, the streams and the API's answers; and again, for everything captured, after the purge.
func TestNothingLeaks(t *testing.T) {
	needBrowser(t)
	planted := &driver.Canaries{
		OffSiteText: "offsite typed pelican", User: "clerk", Password: "Zx9!correct-horse-battery",
		Token: "ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX", Private: "echo quiet-porcupine-errand",
	}
	const offSitePage = "Confidential walrus briefing"
	off := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1>%[1]s</h1><form><label>Search <input name=q></label></form>`, offSitePage)
	}))
	defer off.Close()
	planted.OffSiteURL = off.URL

	var heard streams
	var captured []canary.Canary
	o := Options{Self: self, Out: testWriter{t}, Seed: 3, Dir: filepath.Join(t.TempDir(), "demo"), Keep: true, canaries: planted}
	o.listen = heard.listen
	o.inspect = func(r *run) error {
		heard.stop()
		secrets := []canary.Canary{
			{Label: "password", Text: planted.Password}, {Label: "token", Text: planted.Token}, {Label: "private command", Text: "quiet-porcupine"},
			{Label: "text typed off the scope", Text: planted.OffSiteText}, {Label: "page off the scope", Text: offSitePage},
			{Label: "site off the scope", Text: off.Listener.Addr().String()}, {Label: "free text", Text: r.plan.Note},
		}
		if err := none("the streams", heard.all(), secrets); err != nil {
			return err
		}
		answers, err := everything(t.Context(), r)
		if err != nil {
			return err
		}
		if err := none("the API's answers", answers, secrets); err != nil {
			return err
		}
		for _, dir := range append([]string{r.data()}, r.result.Targets...) {
			if err := noneIn(dir, secrets); err != nil {
				return err
			}
		}
		raw := canary.Canary{Label: "an observation", Text: label(answers)}
		if noneIn(r.data(), []canary.Canary{raw}) == nil {
			return fmt.Errorf("the search does not find %q while it is there: it proves nothing", raw.Text)
		}
		if _, err := r.c.DeleteSession(t.Context(), r.session.LearnSessionID); err != nil {
			return err
		}
		captured = append(secrets, canary.Canary{Label: "date", Text: r.plan.Delivery}, raw)
		return noneIn(r.data(), captured)
	}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	// The daemon has ended, so all its files are final.
	if err := noneIn(filepath.Join(o.Dir, "home", ".local", "share", "showhow"), captured); err != nil {
		t.Error(err)
	}
}

func none(what string, b []byte, planted []canary.Canary) error {
	if len(b) == 0 {
		return fmt.Errorf("%s are empty: nothing was searched", what)
	}
	hits, err := canary.Bytes(what, b, planted...)
	if err == nil && len(hits) > 0 {
		err = fmt.Errorf("found: %v", hits)
	}
	return err
}

func noneIn(dir string, planted []canary.Canary) error {
	hits, err := canary.Scan(dir, planted...)
	if err == nil && len(hits) > 0 {
		err = fmt.Errorf("found: %v", hits)
	}
	return err
}

var actionLabel = regexp.MustCompile(`"action_label":"(Clicked the button '[^"]{8,})"`)

// label is the label of one observation, which is only in the raw events.
func label(answers []byte) string {
	if m := actionLabel.FindSubmatch(answers); m != nil {
		return string(m[1])
	}
	return ""
}

// everything is the body of every GET that shows something of the session.
func everything(ctx context.Context, r *run) ([]byte, error) {
	var all []byte
	for _, path := range []string{
		"/api/learn/sessions", "/api/learn/sessions/" + r.session.LearnSessionID + "/detail",
		"/api/learn/sessions/" + r.session.LearnSessionID + "/observations?page_size=100",
		"/api/learn/sessions/" + r.session.LearnSessionID + "/boundaries",
		"/api/learn/sessions/" + r.session.LearnSessionID + "/observation-scope",
		"/api/learn/proposals", "/api/learn/proposals/" + r.proposal.Proposal.ProposalID + "/detail",
		"/api/learn/proposals/" + r.proposal.Proposal.ProposalID + "/validation-runs",
		"/api/learn/history", "/api/learn/receipts?page_size=100", "/api/learn/runtime/current",
		"/api/abilities/availability", "/api/abilities/catalog", "/api/capabilities/bridge", "/api/doctor", "/api/status",
	} {
		b, err := r.c.Raw(ctx, "GET", path, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(append(all, b...), '\n')
	}
	return all, nil
}

// streams records everything that the daemon streams while the person works.
type streams struct {
	mu     sync.Mutex
	bytes  []byte
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

func (s *streams) listen(ctx context.Context, c *client.Client, session string) {
	ctx, s.cancel = context.WithCancel(ctx)
	hear := func(e client.Event) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.bytes = append(append(s.bytes, e.Raw...), '\n')
		return nil
	}
	s.wg.Go(func() { c.Events(ctx, 0, hear) })
	s.wg.Go(func() { c.ObservationStream(ctx, session, 0, hear) })
}

func (s *streams) stop() { s.cancel(); s.wg.Wait() }

func (s *streams) all() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(string(p))
	return len(p), nil
}
