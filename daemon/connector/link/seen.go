package link

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"showhow/internal/clock"
)

// Seen is what was seen of HTTP during a call, and who hears the programs that it starts.
type Seen struct {
	hearing atomic.Pointer[Hearing]

	mu         sync.Mutex
	status     int
	retryAfter *time.Duration
	challenge  string // of WWW-Authenticate
}

// Status is the last unsuccessful status; 0 for none.
func (s *Seen) Status() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// RetryAfter is how long the service asked to wait; nil when it did not say.
func (s *Seen) RetryAfter() *time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retryAfter
}

// Challenge is the service's authentication challenge; "" for none.
func (s *Seen) Challenge() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.challenge
}

func (s *Seen) note(r *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status == http.StatusUnauthorized && r.StatusCode == http.StatusBadRequest {
		return // the SDK repeated the request in an older form, which an unauthenticated client gets no answer to
	}
	s.status = r.StatusCode
	s.challenge = r.Header.Get("WWW-Authenticate")
	s.retryAfter = clock.RetryAfter(r.Header.Get("Retry-After"), time.Now())
}

type seenKey struct{}

// Watching returns a context that records a call's HTTP.
func Watching(ctx context.Context) (context.Context, *Seen) {
	s := &Seen{}
	return context.WithValue(ctx, seenKey{}, s), s
}

// seenBy is the recorder of HTTP in a call's context; nil when there is none.
func seenBy(ctx context.Context) *Seen {
	s, _ := ctx.Value(seenKey{}).(*Seen)
	return s
}

// adopt copies what another call saw when one request served both.
func (s *Seen) adopt(of *Seen) {
	if s == nil || of == nil || s == of {
		return
	}
	of.mu.Lock()
	status, after, challenge := of.status, of.retryAfter, of.challenge
	of.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.retryAfter, s.challenge = status, after, challenge
}

// guarded adds the required headers, records the answer, and bounds it. It asks one origin only: a server of the older
// transport names the address that messages go to, and they hold its credentials.
type guarded struct {
	next   http.RoundTripper
	origin *url.URL
	header func(ctx context.Context) (http.Header, error)
	renew  func(ctx context.Context, refused string) error // nil: refused credentials stay refused
	large  *atomic.Bool                                    // set when an answer is too large; may be nil
}

func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != g.origin.Scheme || r.URL.Host != g.origin.Host {
		return nil, errRedirect
	}
	res, err := g.ask(r)
	if err == nil && res.StatusCode == http.StatusUnauthorized && g.renew != nil && (r.Body == nil || r.GetBody != nil) {
		res, err = g.again(r, res)
	}
	if err != nil {
		return nil, err
	}
	if s := seenBy(r.Context()); s != nil && res.StatusCode >= 400 {
		s.note(res)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind != "text/event-stream" {
		res.Body = &boundedBody{ReadCloser: res.Body, left: MaxAnswer, large: g.large}
	} else if g.large != nil { // the SDK bounds its events one by one
		res.Body = &measured{ReadCloser: res.Body, large: g.large, events: true}
	}
	return res, nil
}

// ask adds the headers and asks.
func (g *guarded) ask(r *http.Request) (*http.Response, error) {
	if g.header != nil {
		h, err := g.header(r.Context())
		if err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		for k, vs := range h {
			r.Header[http.CanonicalHeaderKey(k)] = vs
		}
	}
	sent := sendingOf(r.Context())
	sent.begin(r)
	res, err := g.next.RoundTrip(r)
	if err == nil && res.StatusCode == http.StatusNotFound {
		sent.refused(r)
	}
	return res, err
}

// again repeats a request whose credentials were refused, with renewed ones. It does so once.
func (g *guarded) again(r *http.Request, refused *http.Response) (*http.Response, error) {
	token := ""
	if refused.Request != nil {
		token = strings.TrimPrefix(refused.Request.Header.Get("Authorization"), "Bearer ")
	}
	if err := g.renew(r.Context(), token); err != nil {
		if s := seenBy(r.Context()); s != nil {
			s.note(refused)
		}
		refused.Body.Close()
		return nil, err
	}
	refused.Body.Close()
	r = r.Clone(r.Context())
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		r.Body = body
	}
	return g.ask(r)
}
