// Package site serves its current case, one load at a time, on this machine, and keeps its ledger.
//
// What an action of the page really did is in the ledger, which no page sees. A lie makes the site answer as if all
// were well and store nothing, or something else. Pages of a library need its bundle, which has to be built before;
// plain ones need nothing.
//
// bench/wild imports it. To test against it: New, Set, and a person in a browser.
package site

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"showhow/bench/corpus/ledger"
	"showhow/bench/wild/cases"
)

//go:embed page
var pages embed.FS

// Lie is a way for the site not to do what it says.
type Lie string

// The lies.
const (
	Honest    Lie = ""
	Silent    Lie = "silent"    // answers 200 and keeps nothing
	Claims    Lie = "claims"    // says "saved" and keeps nothing
	Elsewhere Lie = "elsewhere" // keeps it in another place
	Another   Lie = "another"   // does it to another record
)

// Lies are all lies.
var Lies = []Lie{Silent, Claims, Elsewhere, Another}

// Site is one server. All methods are safe for concurrent use.
type Site struct {
	bundles string // where the libraries' bundles are; "": only plain pages
	server  *http.Server
	address string
	serving sync.WaitGroup

	mu     sync.Mutex
	load   *cases.Load
	lie    Lie
	ledger *ledger.Ledger
	met    bool // the lie met a deed
}

// New listens on a free port.
func New(bundles string) (*Site, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Site{bundles: bundles, address: l.Addr().String()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /state", s.state)
	mux.HandleFunc("POST /do", s.do)
	mux.HandleFunc("POST /decoy", s.decoy)
	sub, err := fs.Sub(pages, "page")
	if err != nil {
		return nil, err
	}
	mux.Handle("GET /page/", http.StripPrefix("/page/", http.FileServerFS(sub)))
	mux.HandleFunc("GET /library/{file}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(s.bundles, filepath.Base(r.PathValue("file"))))
	})
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	s.serving.Go(func() { _ = s.server.Serve(l) })
	return s, nil
}

// Close ends the server and waits for it.
func (s *Site) Close() {
	_ = s.server.Close()
	s.serving.Wait()
}

// Host is host and port.
func (s *Site) Host() string { return s.address }

// URL is the address without a slash at the end.
func (s *Site) URL() string { return "http://" + s.address }

// Set sets the site to a load, with its initial records, honest or not.
func (s *Site) Set(l *cases.Load, lie Lie) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load, s.lie, s.met = l, lie, false
	s.ledger = ledger.New(l.Case.Seed, func(*rand.Rand) ledger.Tables { return l.Tables() })
}

// Effects is what really happened since Set.
func (s *Site) Effects() []ledger.Effect { return s.current().Effects() }

// Lied reports whether an action met the lie.
func (s *Site) Lied() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.met
}

func (s *Site) current() *ledger.Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger
}

func (s *Site) page(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	spec := s.load.Spec
	s.mu.Unlock()
	lib, sheet := "/page/plain.js", ""
	if spec.Library != "plain" {
		lib = "/library/" + spec.Library + ".js"
		sheet = `<link rel="stylesheet" href="/library/` + spec.Library + `.css">`
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html><head><meta charset="utf-8"><title>%s</title>%s</head><body><script type="module">
import { start } from "/page/page.js";
import * as library from "%s";
start(library);
</script></body></html>`, html.EscapeString(spec.Title), sheet, lib)
}

func (s *Site) state(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	l, book := s.load, s.ledger
	s.mu.Unlock()
	rows := book.Rows("items")
	if !l.Spec.Persist {
		rows = l.Tables()["items"]
	}
	time.Sleep(time.Duration(l.Spec.Slow) * time.Millisecond)
	answer(w, map[string]any{"spec": l.Spec, "rows": rows})
}

// do handles an action. What is stored of it depends on the lie.
func (s *Site) do(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	var e ledger.Effect
	if err := json.Unmarshal([]byte(r.FormValue("effect")), &e); err != nil {
		http.Error(w, "not understood", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	l, lie, book := s.load, s.lie, s.ledger
	s.met = s.met || lie != Honest
	s.mu.Unlock()
	time.Sleep(time.Duration(l.Spec.Slow) * time.Millisecond)
	if kept, ok := bend(e, lie, book); ok {
		if _, err := book.Apply(r.Context(), kept); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
	}
	said := lie != Silent
	if r.URL.Query().Get("classic") == "" {
		answer(w, map[string]bool{"said": said})
		return
	}
	if said {
		w.Header().Set("Set-Cookie", "flash=1; Path=/")
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// bend is what a lie makes of an action.
func bend(e ledger.Effect, lie Lie, book *ledger.Ledger) (ledger.Effect, bool) {
	switch lie {
	case Silent, Claims:
		return e, false
	case Elsewhere:
		fields := map[string]string{"about": e.ID}
		maps.Copy(fields, e.Fields)
		return ledger.Effect{Verb: "add", Table: "other", Fields: fields}, true
	case Another:
		for _, r := range book.Rows(e.Table) {
			if r["id"] == e.ID {
				continue
			}
			if e.ID = r["id"]; e.Verb == "add" {
				e.Verb = "set"
			}
			return e, true
		}
		return e, false
	}
	return e, true
}

// decoy counts clicks on a control that nobody who understands the page would click.
func (s *Site) decoy(w http.ResponseWriter, r *http.Request) {
	_, _ = s.current().Apply(r.Context(), ledger.Effect{Verb: "add", Table: "decoys"})
	w.WriteHeader(http.StatusNoContent)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(v)
}

// Happened describes effects in words.
func Happened(effects []ledger.Effect) string {
	if len(effects) == 0 {
		return "nothing"
	}
	var out []string
	for _, e := range effects {
		out = append(out, e.String())
	}
	return strings.Join(out, ", ")
}
