//go:build unix

package cli_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// A session may pause by itself between the reading of its scope and the change: the change is made all the same.
func TestTheScopeChangesAlthoughTheSessionDoes(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	dir := filepath.Join(g.home, "reports")
	g.ok(os.Mkdir(dir, 0o700))
	if out, err := g.run(nil, "learn", "start", "x", "--folder", dir); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	status, err := g.c.Status(t.Context())
	g.ok(err)
	id := status.ActiveSession

	// A proxy between the command and the daemon makes the session pause, or resume, before the first change arrives.
	between := filepath.Join(filepath.Dir(g.home), "b")
	g.ok(os.MkdirAll(filepath.Join(between, "showhow"), 0o700))
	l, err := net.Listen("unix", filepath.Join(between, "showhow", "daemon.sock"))
	g.ok(err)
	var changes atomic.Int32
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "showhow"})
	proxy.Transport = &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", g.socket)
	}}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/scope") && changes.Add(1) == 1 {
			if _, err := g.c.PauseSession(r.Context(), id); err != nil { // it has paused by itself
				if _, err := g.c.ResumeSession(r.Context(), id); err != nil {
					t.Error(err)
				}
			}
		}
		proxy.ServeHTTP(w, r)
	})}
	served := make(chan struct{})
	go func() { defer close(served); _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close(); <-served })

	out, err := g.run([]string{"XDG_RUNTIME_DIR=" + between}, "learn", "scope", "--remove", "folder="+dir)
	if err != nil || changes.Load() != 2 {
		t.Errorf("after %d changes: %v\n%s", changes.Load(), err, out)
	}
	if s, err := g.c.Session(t.Context(), id); err != nil || len(s.Scope.Folders) != 0 {
		t.Errorf("%v, watches %v", err, s.Scope.Folders)
	}
}
