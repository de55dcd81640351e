package engine

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"showhow/daemon/api/caller"
	"showhow/internal/fault"
)

type Page struct {
	Page int `query:"page" default:"1" minimum:"1"`
}

type shelf struct {
	Page
	ID    string `path:"id"`
	Big   int64  `query:"big"`
	Loud  bool   `query:"loud"`
	Seen  string `header:"If-Match"`
	Other string
}

func TestParametersAreFilledIn(t *testing.T) {
	g := bare()
	var got *shelf
	Register(g, Get("shelf", "/api/shelves/{id}", "test", "A shelf", UserReads),
		func(_ context.Context, p *shelf, _ *None) (*Reply[None], error) { got = p; return Answer(None{}), nil })
	get := func(path string) (int, string) {
		got = nil
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("If-Match", `"7"`)
		w := httptest.NewRecorder()
		g.Mux.ServeHTTP(w, r.WithContext(caller.With(r.Context(), person())))
		b, _ := io.ReadAll(w.Result().Body)
		return w.Code, string(b)
	}
	for path, want := range map[string]shelf{
		"/api/shelves/a%2Fb": {Page: Page{1}, ID: "a/b", Seen: `"7"`},
		"/api/shelves/c?page=3&big=-9007199254740993&loud=true": {Page: Page{3}, ID: "c", Big: -9007199254740993, Loud: true, Seen: `"7"`},
	} {
		if status, body := get(path); status != http.StatusOK || got == nil || *got != want {
			t.Errorf("%s: %d %s, filled in %+v", path, status, body, got)
		}
	}
	for _, path := range []string{"/api/shelves/c?page=0", "/api/shelves/c?page=x", "/api/shelves/c?big=1e300", "/api/shelves/c?loud=perhaps",
		"/api/shelves/c?page=1&page=2", "/api/shelves/c?Other=x"} {
		status, body := get(path)
		if status != fault.InvalidRequest.Spec().HTTP || !strings.Contains(body, string(fault.InvalidRequest)) || got != nil {
			t.Errorf("%s: %d %s, the handler ran with %+v", path, status, body, got)
		}
	}
}
