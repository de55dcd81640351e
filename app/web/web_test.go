package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func TestWithoutPagesThereIsNoHandler(t *testing.T) {
	if handler(fstest.MapFS{".gitkeep": {}}) != nil {
		t.Error("a build without pages has a handler")
	}
}

func TestServesFilesAndTheOnePage(t *testing.T) {
	h := handler(fstest.MapFS{
		"index.html":         {Data: []byte("<title>Showhow</title>")},
		"assets/main-abc.js": {Data: []byte("run()")},
		".gitkeep":           {},
	})
	for _, c := range []struct {
		method, path string
		status       int
		kind, holds  string
		cached       bool
	}{
		{"GET", "/", 200, "text/html", "Showhow", false},
		{"GET", "/learn/new", 200, "text/html", "Showhow", false},
		{"GET", "/index.html", 200, "text/html", "Showhow", false},
		{"HEAD", "/", 200, "text/html", "", false},
		{"GET", "/assets/main-abc.js", 200, "text/javascript", "run()", true},
		{"GET", "/assets/other.js", 404, "text/plain", "no such file", false},
		{"GET", "/../../etc/passwd.txt", 404, "text/plain", "no such file", false},
		{"GET", "/.gitkeep", 404, "text/plain", "no such file", false},
		{"POST", "/", 405, "text/plain", "only GET", false},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.status || !strings.HasPrefix(w.Header().Get("Content-Type"), c.kind) || !strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s %s: %d %s %q", c.method, c.path, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
		if got := strings.Contains(w.Header().Get("Cache-Control"), "immutable"); got != c.cached && w.Code == http.StatusOK {
			t.Errorf("%s: cached %v", c.path, got)
		}
	}
}
