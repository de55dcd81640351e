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

	"github.com/gorilla/websocket"
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
	talks   sync.WaitGroup
	changes func(message []byte) bool // whether a message through a socket changes something; nil: none is known
}

// NewGate listens on a free port. changes tells the messages through a program's sockets that change something from the others; it may
// be nil.
func NewGate(changes func(message []byte) bool) (*Gate, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &Gate{address: l.Addr().String(), changes: changes}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(g.target.Load())
		r.Out.Host = r.In.Host
	}}
	g.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.lying.Load() && g.changes != nil && websocket.IsWebSocketUpgrade(r) {
			g.talk(w, r)
			return
		}
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

// talk carries a socket's messages to the program and back, but for those that change something.
func (g *Gate) talk(w http.ResponseWriter, r *http.Request) {
	keep := http.Header{}
	for _, name := range []string{"Cookie", "Origin", "User-Agent"} {
		if v := r.Header.Get(name); v != "" {
			keep.Set(name, v)
		}
	}
	back, answer, err := websocket.DefaultDialer.DialContext(r.Context(), "ws://"+g.target.Load().Host+r.URL.RequestURI(), keep)
	if err != nil {
		http.Error(w, "the program does not talk", http.StatusBadGateway)
		return
	}
	defer back.Close()
	_ = answer.Body.Close()
	front, err := (&websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer front.Close()
	g.talks.Go(func() {
		defer front.Close()
		for {
			kind, message, err := back.ReadMessage()
			if err != nil || front.WriteMessage(kind, message) != nil {
				return
			}
		}
	})
	for {
		kind, message, err := front.ReadMessage()
		if err != nil {
			return
		}
		if g.changes(message) {
			g.met.Store(true)
			continue
		}
		if back.WriteMessage(kind, message) != nil {
			return
		}
	}
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
	g.talks.Wait()
}
