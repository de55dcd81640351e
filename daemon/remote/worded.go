package remote

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"showhow/internal/plain"
)

// byPerson reports whether a browser fetches a page for a person, who cannot read an error for programs.
func (h *house) byPerson(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") &&
		!slices.Contains(h.resources(), r.URL.Path)
}

// worded holds an error back that is worded for programs, and says it on a page.
type worded struct {
	http.ResponseWriter
	status int // of what is held back
	held   bytes.Buffer
}

func (w *worded) WriteHeader(status int) {
	if status >= 400 && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *worded) Write(b []byte) (int, error) {
	if w.status != 0 {
		return w.held.Write(b)
	}
	return w.ResponseWriter.Write(b)
}

// end writes the page instead of what was held back.
func (w *worded) end(host string) {
	if w.status == 0 {
		return
	}
	var p problem
	_ = json.Unmarshal(w.held.Bytes(), &p) // what is no JSON has no description either
	w.Header().Del("Content-Length")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.ResponseWriter.WriteHeader(w.status)
	x := shownPage{Host: host, Refused: true, Why: plain.Clip(p.Description, 300)}
	_ = page().Execute(w.ResponseWriter, x) // the browser has gone
}
