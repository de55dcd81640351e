package desktop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/ownsocket"
	"showhow/internal/version"
)

// Gateway answers the web view: pages from the program, the API from the daemon.
type Gateway struct {
	Pages  http.Handler // nil: a build without pages
	Socket string
	// Ask shows a question outside the page and reports whether the person said yes.
	Ask func(ctx context.Context, question string) bool
	// Revive restarts a crashed daemon; nil: no restart.
	Revive func(ctx context.Context) error
	// Other is called once, when a daemon of another version answers; may be nil.
	Other func(version string)
	// Began is called when capture was started from here; may be nil.
	Began func()

	proxy *httputil.ReverseProxy
	told  sync.Once
}

// Open makes the gateway ready to serve.
func (g *Gateway) Open() *Gateway {
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", "showhow", "showhow"
			r.Out.Header.Del(wire.HeaderPresence) // a page claims nothing
			r.Out.Header.Del("Authorization")
			inOnePiece(r)
		},
		// One connection per request: the daemon examines the caller once per connection, and may be restarted any time.
		Transport:      &http.Transport{DialContext: g.dial, DisableKeepAlives: true, DisableCompression: true},
		FlushInterval:  -1, // streams
		ModifyResponse: g.answered,
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, err error) { refuse(w, err) },
		ErrorLog:       log.New(io.Discard, "", 0), // the page is told
	}
	return g
}

// inOnePiece makes the transport write a small body together with the header. Otherwise a daemon that answers without
// reading the body may close the connection between the two, and its answer is lost.
func inOnePiece(r *httputil.ProxyRequest) {
	if n := r.In.ContentLength; n <= 0 || n > smallBody {
		return
	}
	if b, err := io.ReadAll(r.In.Body); err == nil { // else the length is found wrong, as it would have been
		r.Out.Body = io.NopCloser(bytes.NewReader(b))
	}
}

const smallBody = 3 << 10 // fits, with the head, into what the transport writes at once

// ServeHTTP handles every request of the web view.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/") && path.Clean(r.URL.Path) == r.URL.Path:
		g.proxy.ServeHTTP(w, r)
	case g.Pages == nil:
		http.Error(w, "This build of Showhow has no pages. `make build` with Node and npm builds them.", http.StatusNotFound)
	default:
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		g.Pages.ServeHTTP(w, r)
	}
}

// dial connects to the daemon. A killed daemon leaves its socket behind, and is restarted; a stopped one removes it,
// and was stopped on purpose.
func (g *Gateway) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	c, err := ownsocket.Dial(ctx, g.Socket)
	if err == nil || g.Revive == nil || !died(err) {
		return c, err
	}
	if g.Revive(ctx) != nil {
		return nil, err
	}
	return ownsocket.Dial(ctx, g.Socket)
}

// began matches the requests after which something is watched.
var began = regexp.MustCompile(`^/api/learn/sessions/[^/]+/(start|resume)$`)

func (g *Gateway) answered(res *http.Response) error {
	theirs, _, _ := strings.Cut(res.Header.Get(wire.HeaderVersion), " ")
	if ours := version.Get().Version; g.Other != nil && theirs != "" && theirs != ours {
		g.told.Do(func() { g.Other(theirs) })
	}
	if r := res.Request; g.Began != nil && r.Method == http.MethodPost && res.StatusCode == http.StatusOK && began.MatchString(r.URL.Path) {
		g.Began()
	}
	return g.confirm(res)
}

// confirm passes a confirmation for the window on only after the person's yes.
func (g *Gateway) confirm(res *http.Response) error {
	if res.Request.Method != http.MethodPost || res.Request.URL.Path != "/api/confirmations" || res.StatusCode != http.StatusCreated {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	res.Body.Close()
	if err != nil {
		return err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	var c wire.Confirmation
	if err := json.Unmarshal(body, &c); err != nil {
		return fault.Wrap(err, fault.VersionMismatch,
			"the daemon's answer is not one that this window knows").WithHint("close the window and open it again")
	}
	if c.Code == "" {
		return nil // shown in a terminal
	}
	if g.Ask == nil || !g.Ask(res.Request.Context(), c.What) {
		return fault.New(fault.PresenceRejected, "you did not confirm it")
	}
	return nil
}

// refuse answers as the daemon would.
func refuse(w http.ResponseWriter, err error) {
	var f *fault.Error
	if !errors.As(err, &f) {
		f = fault.Wrap(err, fault.DaemonUnreachable, "the Showhow daemon does not answer").WithHint("start it with `showhow daemon start`")
	}
	spec := f.Code.Spec()
	b, _ := json.Marshal(wire.Error{Error: wire.ErrorBody{Code: f.Code, Message: f.Message, Hint: f.Hint, Retryable: spec.Retryable,
		Details: map[string]any{}, CorrelationID: clock.NewID()}})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(spec.HTTP)
	w.Write(b)
}
