package apps

import (
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Gate is a proxy in front of a program: its address stays the same when the program is restarted, and on request it
// withholds requests from the program and answers as if all were well.
type Gate struct {
	server  *http.Server
	address string
	serving sync.WaitGroup
	target  atomic.Pointer[url.URL]
	lying   atomic.Bool
	met     atomic.Bool
}

// NewGate listens on a free port.
func NewGate() (*Gate, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &Gate{address: l.Addr().String()}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(g.target.Load())
		r.Out.Host = r.In.Host
	}}
	g.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.lying.Load() || r.Method == http.MethodGet || r.Method == http.MethodHead {
			proxy.ServeHTTP(w, r)
			return
		}
		g.met.Store(true)
		_, _ = io.Copy(io.Discard, r.Body)
		again := r.Clone(r.Context()) // the same page once more, as it is
		again.Method, again.Body, again.ContentLength = http.MethodGet, http.NoBody, 0
		again.Header.Del("Content-Type")
		again.Header.Del("Content-Length")
		proxy.ServeHTTP(w, again)
	})}
	g.serving.Go(func() { _ = g.server.Serve(l) })
	return g, nil
}

// Host is host and port.
func (g *Gate) Host() string { return g.address }

// Before points the gate to a program at this address; if lying, it forwards nothing that changes something by a
// method other than GET.
func (g *Gate) Before(address string, lying bool) {
	g.target.Store(&url.URL{Scheme: "http", Host: address})
	g.lying.Store(lying)
	g.met.Store(false)
}

// Lied reports whether something was withheld from the program.
func (g *Gate) Lied() bool { return g.met.Load() }

// Close ends the gate and waits for it.
func (g *Gate) Close() {
	_ = g.server.Close()
	g.serving.Wait()
}
