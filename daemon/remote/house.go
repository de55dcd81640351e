package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// house is everything that is there while remote callers are let in.
type house struct {
	s        *Service
	settings Settings
	host     string // of the URL: the only Host that is answered
	handler  atomic.Pointer[http.ServeMux]
	oauth    http.Handler
	limits   limits
	servers  []*http.Server
	serving  sync.WaitGroup

	mu      sync.Mutex
	asks    map[string]*ask      // sign-ins, by the id that only the browser has
	codes   map[string]*code     // by hash
	running map[string][]running // requests of callers
	staying map[string]*stay     // callers that showed a token
	calls   map[string]int64     // since the last save
	saved   time.Time
	count   int64 // of requests of callers
}

// stay is how long what a caller does may go on without a request: until the last token that it showed expires.
type stay struct {
	until time.Time
	timer *time.Timer
}

type running struct {
	id  int64
	end context.CancelFunc
}

// check completes settings, and refuses those that would expose more than a person meant.
func (s *Service) check(x *Settings) error {
	no := func(what, hint string) error { return fault.New(fault.InvalidRequest, what).WithHint(hint) }
	if len(x.Addresses) == 0 {
		return no("no address is named", "name where to listen: --address 127.0.0.1:8443")
	}
	if (x.CertFile == "") != (x.KeyFile == "") {
		return no("a certificate goes with its key", "name both: --cert FILE --key FILE")
	}
	secure := x.CertFile != ""
	for i, a := range x.Addresses {
		at, err := netip.ParseAddrPort(a)
		if err != nil {
			return no("an address is an IP and a port", "such as 192.168.1.5:8443")
		}
		at = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
		switch {
		case at.Addr().IsUnspecified() || at.Addr().IsMulticast():
			return no("an address names one interface", "0.0.0.0 and [::] would listen everywhere; name the address that callers use")
		case !at.Addr().IsLoopback() && !secure:
			return no("an address off this computer needs TLS", "name a certificate and its key: --cert FILE --key FILE")
		case slices.Contains(x.Addresses[:i], at.String()):
			return no("an address is named twice", "name it once")
		}
		x.Addresses[i] = at.String()
	}
	if x.URL == "" {
		return nil // build takes the first address
	}
	u, err := url.Parse(x.URL)
	if err != nil || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return no("the URL is scheme, host and port alone", "such as https://showhow.example.com")
	}
	switch {
	case u.Scheme == "https":
	case u.Scheme == "http" && !secure && loopback(u.Hostname()):
	default:
		return no("the URL must be https", "http is for loopback alone")
	}
	x.URL = u.Scheme + "://" + strings.ToLower(u.Host)
	return nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// build listens and serves.
func (s *Service) build(ctx context.Context, x Settings) (*house, error) {
	if err := s.check(&x); err != nil {
		return nil, err
	}
	var conf *tls.Config
	if x.CertFile != "" {
		pair := &certificate{cert: x.CertFile, key: x.KeyFile}
		if _, err := pair.get(nil); err != nil {
			return nil, fault.Wrap(err, fault.InvalidRequest, "the certificate and its key cannot be used").
				WithHint("both are PEM files that you can read, and belong together")
		}
		conf = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: pair.get}
	}
	h := &house{s: s, asks: map[string]*ask{}, codes: map[string]*code{}, running: map[string][]running{},
		staying: map[string]*stay{}, calls: map[string]int64{}}
	var listeners []net.Listener
	for i, a := range x.Addresses {
		l, err := net.Listen("tcp", a)
		if err != nil {
			for _, l := range listeners {
				l.Close()
			}
			return nil, fault.Wrap(err, fault.AdapterUnavailable, "the address "+a+" cannot be listened at").
				WithHint("it must be an address of this computer, with a port that nothing else uses")
		}
		x.Addresses[i] = l.Addr().String()
		listeners = append(listeners, l)
	}
	if x.URL == "" {
		x.URL = "http://" + x.Addresses[0]
		if conf != nil {
			x.URL = "https://" + x.Addresses[0]
		}
	}
	u, err := url.Parse(x.URL)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the URL cannot be read")
	}
	h.settings, h.host, h.saved = x, u.Host, s.o.Now().Time
	h.oauth = h.newOAuth()
	h.handler.Store(h.routes())
	for _, l := range listeners {
		l = netutil.LimitListener(&sharing{Listener: l, most: h.share(maxSocketsOf, maxSockets)}, maxSockets)
		if conf != nil {
			l = tls.NewListener(l, conf)
		}
		srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
			ErrorLog: slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug)}
		h.servers = append(h.servers, srv)
		h.serving.Go(func() {
			if err := srv.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
				s.o.Log.Warn("remote callers cannot be let in any more", "code", string(fault.CodeOf(err)))
			}
		})
	}
	return h, nil
}

// certificate is read again when its file changes: certificates are renewed.
type certificate struct {
	cert, key string

	mu   sync.Mutex
	at   time.Time
	pair *tls.Certificate
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	st, err := os.Stat(c.cert)
	if err == nil && (c.pair == nil || !st.ModTime().Equal(c.at)) {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.cert, c.key); err == nil {
			c.pair, c.at = &pair, st.ModTime()
		}
	}
	if c.pair == nil {
		return nil, err
	}
	return c.pair, nil // while a new pair is being written, the old one
}

// close ends every request, and waits.
func (h *house) close() {
	h.mu.Lock()
	for _, all := range h.running {
		for _, r := range all {
			r.end()
		}
	}
	for _, x := range h.staying {
		x.timer.Stop()
	}
	h.mu.Unlock()
	for _, srv := range h.servers {
		srv.Close()
	}
	h.serving.Wait()
	h.save(context.Background(), true)
}

// Live returns an error if a caller is not let in now.
func (s *Service) Live(ctx context.Context, id string) error {
	var c Caller
	var ok bool
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { c, ok, err = tx.RemoteCaller(id); return err })
	if err == nil && (!ok || c.RevokedAt != nil || !s.Listening()) {
		err = fault.New(fault.Forbidden, "the caller from elsewhere was shut out").WithHint("it can sign in again, and a person decides")
	}
	return err
}

// evict ends what callers do behind the resources without a request.
func (s *Service) evict(which func(Caller) bool) {
	if s.o.Evict == nil {
		return
	}
	ctx := context.Background() // it must be done, whoever waits for it
	var all []Caller
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { all, err = tx.RemoteCallers(); return err })
	for _, c := range all {
		if which(c) {
			err = errors.Join(err, s.o.Evict(ctx, Guest{CallerID: c.CallerID, Agent: c.Name}))
		}
	}
	if err != nil {
		s.o.Log.Warn("questions of a caller that is not let in still stand", "code", string(fault.CodeOf(err)))
	}
}

// cut ends what callers do that were shut out: their requests, and what goes on without one.
func (h *house) cut(ids ...string) {
	h.cutRequests(ids)
	if len(ids) > 0 {
		h.s.evict(func(c Caller) bool { return slices.Contains(ids, c.CallerID) })
	}
}

func (h *house) cutRequests(ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		for _, r := range h.running[id] {
			r.end()
		}
		for hash, c := range h.codes {
			if c.caller.CallerID == id {
				delete(h.codes, hash)
			}
		}
	}
}

// began counts a request of a caller and makes it end with the caller's access, at the latest when the token expires.
func (h *house) began(ctx context.Context, x shown) (context.Context, func()) {
	c, left := x.caller, x.expires.Sub(h.s.o.Now().Time)
	ctx, end := context.WithTimeout(ctx, left)
	h.mu.Lock()
	if old := h.staying[c.CallerID]; old == nil || !x.expires.Before(old.until) {
		if old != nil {
			old.timer.Stop()
		}
		h.staying[c.CallerID] = &stay{x.expires, time.AfterFunc(left, func() { h.expired(c.CallerID, x.expires) })}
	}
	h.calls[c.CallerID]++
	h.count++
	n := h.count
	h.running[c.CallerID] = append(h.running[c.CallerID], running{n, end})
	due := h.s.o.Now().Sub(h.saved) > time.Minute
	h.mu.Unlock()
	if due {
		h.save(ctx, false)
	}
	return ctx, func() {
		end()
		h.mu.Lock()
		defer h.mu.Unlock()
		left := slices.DeleteFunc(h.running[c.CallerID], func(r running) bool { return r.id == n })
		if h.running[c.CallerID] = left; len(left) == 0 {
			delete(h.running, c.CallerID)
		}
	}
}

// expired ends what a caller does without a request, if it has shown no later token.
func (h *house) expired(id string, at time.Time) {
	h.mu.Lock()
	x := h.staying[id]
	over := x != nil && x.until.Equal(at)
	if over {
		delete(h.staying, id)
	}
	h.mu.Unlock()
	if over {
		h.s.evict(func(c Caller) bool { return c.CallerID == id })
	}
}

// save writes who called how often.
func (h *house) save(ctx context.Context, last bool) {
	h.mu.Lock()
	calls := h.calls
	h.calls, h.saved = map[string]int64{}, h.s.o.Now().Time
	h.mu.Unlock()
	if len(calls) == 0 {
		return
	}
	err := h.s.o.Store.Update(ctx, func(tx Tx) error {
		for id, n := range calls {
			c, ok, err := tx.RemoteCaller(id)
			if err != nil {
				return err
			}
			if ok {
				c.Calls += n
				c.LastUsedAt = h.s.o.Now().Ptr()
				if err := tx.PutRemoteCaller(c); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil && !last {
		h.s.o.Log.Warn("the calls of remote callers could not be counted", "code", string(fault.CodeOf(err)))
	}
}

// used adds the calls that are not saved yet.
func (h *house) used(callers []wire.RemoteCaller) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range callers {
		if n := h.calls[callers[i].CallerID]; n > 0 {
			callers[i].Calls += n
			callers[i].LastUsedAt = clock.At(h.s.o.Now().Time).Ptr()
		}
	}
}
