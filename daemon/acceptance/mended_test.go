//go:build !race

package acceptance_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/daemon/wire"
)

// A page that calls a control otherwise, from there to an ability that works under the new name: a look finds it, the
// inbox says so, a person takes the repair over, rehearses and installs it, and the next look finds nothing odd.
func TestARenamedControlIsMended(t *testing.T) {
	t.Parallel()
	var renamed atomic.Bool
	w, d := browsed(t, func(desk http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if !renamed.Load() {
				desk.ServeHTTP(rw, r)
				return
			}
			rec := httptest.NewRecorder()
			desk.ServeHTTP(rec, r)
			for k, v := range rec.Header() {
				if k != "Content-Length" {
					rw.Header()[k] = v
				}
			}
			rw.WriteHeader(rec.Code)
			_, _ = io.Copy(rw, bytes.NewReader(bytes.ReplaceAll(rec.Body.Bytes(), []byte("Edit order"), []byte("Modify order"))))
		})
	})
	d = w.validatedWith(d)
	id := got(w.install(d))(t).AbilityID
	slug := got(w.c.Ability(t.Context(), id))(t).SkillSlug
	got(w.c.AllowCanary(t.Context(), slug, wire.CanaryAllow{}))(t)
	if r := got(w.c.Reprobe(t.Context(), slug))(t); r.Canary.LastResult != "passed" {
		t.Fatalf("%+v", r)
	}

	renamed.Store(true)
	began := time.Now()
	r := got(w.c.Reprobe(t.Context(), slug))(t)
	t.Logf("%s after %v: %s", r.Canary.LastResult, time.Since(began), r.Canary.LastTold)
	for _, i := range got(w.c.Inbox(t.Context()))(t).Items {
		t.Logf("inbox: %s | %s | %s", i.Title, i.Detail, i.Action.Command)
	}
	h := got(w.c.AbilityHealth(t.Context(), slug))(t)
	if r.Canary.LastResult != "passed" || len(h.Renamed) == 0 || h.Renamed[0].Name != "Modify order" {
		t.Fatalf("%+v %+v", r.Canary, h.Renamed)
	}
	p := got(w.c.RepairAbility(t.Context(), slug))(t)
	last := p.Revisions[0]
	for _, x := range p.Revisions {
		if x.Revision > last.Revision {
			last = x
		}
	}
	t.Logf("the draft: %q, %q", last.Changes, last.Instructions)
	if !strings.Contains(strings.Join(last.Changes, "; "), "“Modify order”, it was") {
		t.Errorf("%q", last.Changes)
	}
	w.until("its tests have run", func() bool {
		l := got(w.c.ValidationRuns(t.Context(), p.Proposal.ProposalID, client.PageQuery{Page: 1, PageSize: 5}))(t)
		return len(l.Runs) == 2 && l.Runs[0].Status != "running"
	})
	p = w.validatedWith(got(w.c.Proposal(t.Context(), p.Proposal.ProposalID))(t))
	again := got(w.install(p))(t)
	if again.AbilityID != id {
		t.Errorf("another ability: %+v", again)
	}
	t.Logf("installed after %v", time.Since(began))
	r = got(w.c.Reprobe(t.Context(), slug))(t)
	h = got(w.c.AbilityHealth(t.Context(), slug))(t)
	if r.Canary.LastResult != "passed" || len(h.Renamed) != 0 {
		t.Errorf("%+v %+v", r.Canary, h.Renamed)
	}
	for _, i := range got(w.c.Inbox(t.Context()))(t).Items {
		t.Errorf("inbox: %+v", i)
	}
}
