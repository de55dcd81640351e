package sandbox

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Proxy is an HTTP proxy (CONNECT and plain) that admits what allow admits, by name and port, and records what it
// admitted and refused. A name that is not itself an address never leads to this machine or its link: a foreign name
// must not be a way in.
type Proxy struct {
	allow   func(hostport string) bool
	server  *http.Server
	dialer  net.Dialer
	plain   *httputil.ReverseProxy
	tunnels sync.WaitGroup

	mu      sync.Mutex
	refused []string
	reached []string
	connect func(ctx context.Context, network, address string) (net.Conn, error) // nil: dial
	open    map[net.Conn]bool
	closed  bool
}

// AllowHosts is an allow function for names in a scope's form: "host" (ports 80 and 443), "host:port", "*.host".
func AllowHosts(hosts []string) func(hostport string) bool {
	return func(hostport string) bool {
		host, port, err := net.SplitHostPort(hostport)
		if err != nil {
			return false
		}
		return slices.ContainsFunc(hosts, func(h string) bool { return matches(strings.ToLower(strings.TrimSpace(h)), host, port) })
	}
}

func matches(pattern, host, port string) bool {
	want, wantPort := pattern, ""
	if h, p, err := net.SplitHostPort(pattern); err == nil {
		want, wantPort = h, p
	}
	want = strings.Trim(want, "[]")
	if wantPort != port && (wantPort != "" || port != "80" && port != "443") {
		return false
	}
	if sub, ok := strings.CutPrefix(want, "*."); ok {
		return sub != "" && strings.HasSuffix(host, "."+sub)
	}
	return want != "" && want == host
}

// NewProxy makes a proxy; Serve runs it.
func NewProxy(allow func(hostport string) bool) *Proxy {
	p := &Proxy{allow: allow, open: map[net.Conn]bool{}}
	p.dialer = net.Dialer{Timeout: 15 * time.Second}
	p.plain = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.Header.Del("Proxy-Authorization")
			r.Out.Header.Del("Proxy-Connection")
		},
		Transport: &http.Transport{DialContext: p.dial, DisableKeepAlives: true, ResponseHeaderTimeout: time.Minute},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, "the host cannot be reached", http.StatusBadGateway)
		},
		ErrorLog: nil,
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 30 * time.Second, ErrorLog: quiet}
	return p
}

// Serve answers on ln until Close.
func (p *Proxy) Serve(ln net.Listener) error {
	if err := p.server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends every connection and waits for them.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	for c := range p.open {
		c.Close()
	}
	p.mu.Unlock()
	err := p.server.Close()
	p.tunnels.Wait()
	return err
}

// Refused lists the hosts that were refused, each once, at most 100.
func (p *Proxy) Refused() []string { return p.list(&p.refused) }

// Reached lists the hosts that were admitted and answered, each once, at most 100.
func (p *Proxy) Reached() []string { return p.list(&p.reached) }

func (p *Proxy) list(l *[]string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(*l)
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target, ok := targetOf(r)
	if !ok {
		http.Error(w, "this is a proxy", http.StatusBadRequest)
		return
	}
	if !p.allow(target) {
		p.note(&p.refused, target)
		http.Error(w, "the network is closed to this host", http.StatusForbidden)
		return
	}
	if r.Method == http.MethodConnect {
		p.tunnel(w, r, target)
		return
	}
	r.Host = r.URL.Host // a different Host header would select another site on the same server
	p.plain.ServeHTTP(w, r)
}

// targetOf is a request's host and port, in normal form.
func targetOf(r *http.Request) (string, bool) {
	host, port := r.URL.Hostname(), r.URL.Port()
	switch {
	case r.Method == http.MethodConnect:
		var err error
		if host, port, err = net.SplitHostPort(r.Host); err != nil {
			return "", false
		}
	case r.URL.Scheme != "http" || host == "":
		return "", false
	case port == "":
		port = "80"
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" || strings.ContainsAny(host, "%/\\@ \t\r\n\x00") {
		return "", false
	}
	return net.JoinHostPort(host, port), true
}

func (p *Proxy) note(l *[]string, target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(*l) < 100 && !slices.Contains(*l, target) {
		*l = append(*l, target)
	}
}

var errInward = errors.New("the name leads to this machine")

// dial connects to an admitted name, and records that it answered.
func (p *Proxy) dial(ctx context.Context, network, address string) (net.Conn, error) {
	connect := p.connect
	if connect == nil {
		connect = p.outward
	}
	c, err := connect(ctx, network, address)
	if err == nil {
		p.note(&p.reached, strings.ToLower(address))
	}
	return c, err
}

// outward connects to a name; the address is checked after it was resolved, so that nothing can change in between.
func (p *Proxy) outward(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	d := p.dialer
	if _, err := netip.ParseAddr(host); err != nil && host != "localhost" {
		d.Control = func(_, resolved string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(resolved)
			if err != nil {
				return err
			}
			if a := ap.Addr().Unmap(); a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() {
				return errInward
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, address)
}

func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request, target string) {
	out, err := p.dial(r.Context(), "tcp", target)
	if err != nil {
		http.Error(w, "the host cannot be reached", http.StatusBadGateway)
		return
	}
	defer out.Close()
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	if !p.hold(in, out) {
		return
	}
	defer p.release(in, out)
	_ = in.SetDeadline(time.Time{})
	if _, err := io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	both(in, buffered.Reader, out)
}

// hold registers a tunnel's connections, which Close closes and waits for.
func (p *Proxy) hold(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	for _, c := range conns {
		p.open[c] = true
	}
	p.tunnels.Add(1)
	return true
}

func (p *Proxy) release(conns ...net.Conn) {
	p.mu.Lock()
	for _, c := range conns {
		delete(p.open, c)
	}
	p.mu.Unlock()
	p.tunnels.Done()
}

// both copies in both directions until both are done; an end that closes its half lets the other finish.
func both(a net.Conn, fromA io.Reader, b net.Conn) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(a, b)
		half(a)
	}()
	_, _ = io.Copy(b, fromA)
	half(b)
	<-done
}

func half(c net.Conn) {
	if w, ok := c.(interface{ CloseWrite() error }); ok {
		_ = w.CloseWrite()
		return
	}
	c.Close()
}
