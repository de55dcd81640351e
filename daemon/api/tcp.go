package api

import (
	"context"
	"net"
	"os"
	"sync"
	"time"

	"showhow/daemon/api/caller"
	"showhow/internal/fault"
)

// exchangePath is the one route of the API that a page may call without a token.
const exchangePath = "/api/session/exchange"

// tcpGate opens the loopback listener on demand and closes it when nobody uses it (decisions D3).
type tcpGate struct {
	closed func() // called when the listener closes

	mu       sync.Mutex
	serving  bool              // ServeTCP runs
	start    chan net.Listener // to ServeTCP
	address  string            // "" while closed
	lastUsed time.Time
	streams  int
}

func newTCPGate(closed func()) *tcpGate {
	return &tcpGate{closed: closed, start: make(chan net.Listener, 1)}
}

// ServeTCP waits until a login is requested, answers on a random loopback port until it is idle, and waits again,
// until ctx ends. If the previous daemon crashed with a browser logged in, it listens at once, on the same port
// (kept.go).
func (s *Server) ServeTCP(ctx context.Context) error {
	g := s.browser.gate
	s.browser.resume()
	g.setServing(true)
	defer g.setServing(false)
	for {
		select {
		case <-ctx.Done():
			return nil
		case l := <-g.start:
			if err := s.serveUntilIdle(ctx, l); err != nil {
				return err
			}
		}
	}
}

func (s *Server) serveUntilIdle(ctx context.Context, l net.Listener) error {
	g := s.browser.gate
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(max(s.deps.TCPIdle/4, time.Millisecond))
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				if g.idle(s.deps.TCPIdle) {
					stop()
					return
				}
			}
		}
	}()
	address := l.Addr().String()
	err := s.serve(ctx, l, func(c net.Conn) connInfo { return connInfo{tcp: true, address: address, refused: !ours(c)} })
	stop()
	<-done
	g.shut(address)
	return err
}

// ours reports whether a connection comes from a process of this user: a login is worthless to other users. Where the
// kernel does not say, the login alone decides.
func ours(c net.Conn) bool {
	uid, known := caller.UserOf(c.RemoteAddr(), c.LocalAddr())
	return !known || uid == os.Geteuid()
}

// resume listens at the previous daemon's address.
func (g *tcpGate) resume(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || host != "127.0.0.1" {
		return fault.New(fault.Internal, "this is no address of ours")
	}
	l, err := net.Listen("tcp4", address)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lastUsed, g.address = time.Now(), address
	g.start <- l
	return nil
}

// open returns the address, listening first if necessary.
func (g *tcpGate) open() (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.serving {
		return "", fault.New(fault.UnsupportedInBuild, "this daemon serves no browser")
	}
	g.lastUsed = time.Now()
	if g.address != "" {
		return g.address, nil
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "no local port could be opened")
	}
	g.address = l.Addr().String()
	g.start <- l // buffered: there is at most one listener
	return g.address, nil
}

// idle reports whether the listener should close, and from then on no longer hands out its address.
func (g *tcpGate) idle(limit time.Duration) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.streams > 0 || time.Since(g.lastUsed) < limit {
		return false
	}
	g.address = ""
	g.closed()
	return true
}

// shut forgets the listener at address, unless it was forgotten already.
func (g *tcpGate) shut(address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.address == address {
		g.address = ""
		g.closed()
	}
}

func (g *tcpGate) setServing(on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.serving = on
	if !on {
		select {
		case l := <-g.start: // opened in the last moment
			l.Close()
		default:
		}
		g.address = ""
	}
}

func (g *tcpGate) touch() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lastUsed = time.Now()
}

// stream keeps the listener open while a stream runs.
func (g *tcpGate) stream() func() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.streams++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.streams--
		g.lastUsed = time.Now()
	}
}

func (g *tcpGate) listening() bool { return g.now() != "" }

// now is the listening address, "" while there is none.
func (g *tcpGate) now() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.address
}

// OwnSite reports whether a site (host:port) is this server's own page.
func (s *Server) OwnSite(site string) bool {
	s.browser.gate.mu.Lock()
	defer s.browser.gate.mu.Unlock()
	if s.browser.gate.address == "" {
		return false
	}
	_, port, _ := net.SplitHostPort(s.browser.gate.address)
	return site == s.browser.gate.address || site == "localhost:"+port
}
