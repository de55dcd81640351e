package remote

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"
)

// rate is so many requests in a period, at once if need be.
type rate struct {
	most int
	per  time.Duration
}

// The rates of one address, and of one caller.
var (
	anonymousRate = rate{120, time.Minute} // whatever needs no token
	registerRate  = rate{10, time.Hour}
	wrongRate     = rate{30, time.Minute} // wrong tokens, codes and secrets
	callerRate    = rate{300, time.Minute}
)

// limits are token buckets by key.
type limits struct {
	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	left float64
	at   time.Time
	rate rate
}

const maxBuckets = 2048

// take takes one from a bucket; otherwise it returns after how long there will be one again.
func (l *limits) take(now time.Time, key string, r rate) (wait time.Duration, ok bool) {
	return l.draw(now, key, r, 1)
}

// empty reports whether there is nothing in the bucket, and takes nothing.
func (l *limits) empty(now time.Time, key string, r rate) (wait time.Duration, ok bool) {
	return l.draw(now, key, r, 0)
}

func (l *limits) draw(now time.Time, key string, r rate, n float64) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buckets == nil {
		l.buckets = map[string]bucket{}
	}
	b, there := l.buckets[key]
	if !there {
		if len(l.buckets) >= maxBuckets {
			l.sweep(now)
		}
		if len(l.buckets) >= maxBuckets { // so many addresses at once share one
			key = "everybody"
		}
		if b, there = l.buckets[key]; !there {
			b = bucket{left: float64(r.most), at: now, rate: r}
		}
	}
	per := r.per / time.Duration(r.most)
	b.left, b.at, b.rate = min(float64(r.most), b.left+max(0, float64(now.Sub(b.at)))/float64(per)), now, r
	ok = b.left >= 1
	if ok {
		b.left -= n
	}
	l.buckets[key] = b
	return time.Duration((1 - b.left) * float64(per)), ok
}

// sweep drops buckets that are full again.
func (l *limits) sweep(now time.Time) {
	for k, b := range l.buckets {
		if now.Sub(b.at) >= b.rate.per {
			delete(l.buckets, k)
		}
	}
}

// addressOf is the address that a request is counted under.
func addressOf(r *http.Request) string { return networkOf(r.RemoteAddr) }

// networkOf is what an address is counted under: for IPv6 its network, because one host has many.
func networkOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	a, aerr := netip.ParseAddr(host)
	if err != nil || aerr != nil {
		return "unknown"
	}
	if a = a.Unmap().WithZone(""); a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}

// proxied reports whether an address is that of a proxy here, which all callers come through.
func (h *house) proxied(address string) bool {
	u, err := url.Parse(h.settings.URL)
	return err == nil && loopback(address) && !loopback(u.Hostname())
}

// share is how many places of all an address can have.
func (h *house) share(one, all int) func(address string) int {
	return func(address string) int {
		if h.proxied(address) {
			return all
		}
		return one
	}
}

// sharing is a listener that closes connections of an address that has its share.
type sharing struct {
	net.Listener
	most func(address string) int

	mu   sync.Mutex
	open map[string]int // by address
}

func (s *sharing) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := networkOf(c.RemoteAddr().String())
		if s.took(from) {
			return &shared{Conn: c, left: sync.OnceFunc(func() { s.leave(from) })}, nil
		}
		_ = c.Close() // whether the peer hears of it or not
	}
}

func (s *sharing) took(from string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[from] >= s.most(from) {
		return false
	}
	if s.open == nil {
		s.open = map[string]int{}
	}
	s.open[from]++
	return true
}

func (s *sharing) leave(from string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[from]--; s.open[from] <= 0 {
		delete(s.open, from)
	}
}

// shared is a connection that has a place.
type shared struct {
	net.Conn
	left func()
}

func (c *shared) Close() error {
	c.left()
	return c.Conn.Close()
}
