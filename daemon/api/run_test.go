package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/routes"
	"showhow/daemon/document"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

var placeholder = lazyre.New(`\{[^}]*\}`)

// A run's agent reaches what inRuns names and nothing else, whatever there is besides.
func TestWhatARunReaches(t *testing.T) {
	s := newRig(t).s
	s.engine.Undocumented = nil // services that this rig does not have answer as they like
	h := s.ForRun("scribe", "run")
	refused := func(method, path string) bool {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader("{}")))
		return w.Code == fault.RouteNotFound.Spec().HTTP && strings.Contains(w.Body.String(), "an agent's run cannot ask for this")
	}
	reached := 0
	for _, o := range s.engine.Operations {
		own := slices.Contains(inRuns, o.Method+" "+o.Path)
		if own {
			reached++
		}
		for _, id := range []string{"x", "doc_aaaaaaaaaaaaaa", "1"} {
			path := placeholder.ReplaceAllString(o.Path, id)
			if refused(o.Method, path) == own {
				t.Errorf("%s %s: reached is %t", o.Method, path, !own)
			}
		}
	}
	if reached != len(inRuns) {
		t.Errorf("%d of the %d operations in inRuns exist", reached, len(inRuns))
	}
	for _, r := range []string{"GET /", "GET /mcp", "POST /mcp", "GET /index.html", "GET /api/", "HEAD /api/version", "PUT /api/documents",
		"GET /api/documents/../status", "GET //api/status", "GET /api//status", "GET /api/version/../status", "GET /api/documents/",
		"POST /api/documents/x", "DELETE /api/documents", "GET " + contractPath, "POST " + doorPath} {
		method, path, _ := strings.Cut(r, " ")
		if !refused(method, path) {
			t.Errorf("%s is reached", r)
		}
	}
}

// asked notes who asks for the list of documents.
type asked struct {
	routes.Documents
	by *caller.Caller
}

func (a *asked) List(ctx context.Context, _ document.Owner) (wire.Documents, error) {
	a.by = caller.Of(ctx)
	return wire.Documents{SchemaVersion: 1}, nil
}

// Nothing that a request from a run claims about its caller counts.
func TestWhoARunIs(t *testing.T) {
	a := &asked{}
	s := newRig(t, func(d *Deps) { d.Documents = a }).s
	r := httptest.NewRequest(http.MethodGet, "/api/documents", nil)
	r.Header.Set(wire.HeaderSource, state.SourceClick)
	r.Header.Set("X-Showhow-Presence", "demo x")
	r.Header.Set("Authorization", "Bearer x")
	s.ForRun("scribe", "run").ServeHTTP(httptest.NewRecorder(), r)
	if c := a.by; c == nil || c.Kind != access.Agent || c.Source != state.SourceAPI || c.Run != "run" ||
		!slices.Equal(c.Families, []string{"scribe"}) {
		t.Errorf("%+v", a.by)
	}
}
