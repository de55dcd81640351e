package remote

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/zitadel/oidc/v3/pkg/oidc"

	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// ask is a sign-in that waits for a person.
type ask struct {
	wire.RemoteRequest
	code      string // only the page in the browser that began shows it
	wrong     int    // codes that were typed and are not it
	browser   []byte // hash of the cookie of the browser that began
	client    string
	redirect  string
	state     string
	challenge string
	answered  bool
	caller    *Caller // who it is, if the person said yes
}

// code can be exchanged for tokens, once.
type code struct {
	caller    Caller
	client    string
	redirect  string
	challenge string
	used      bool
	expires   clock.Time
}

// AnyRequest stands for the sign-in whose code is given.
const AnyRequest = "any"

// maxWrong is how many wrong codes end a sign-in that waits.
const maxWrong = 5

func sameText(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// letters of the code that two people can compare: none that look alike.
const letters = "BCDFGHJKMNPQRSTVWXZ23456789"

func shortCode() string {
	b := make([]byte, 8)
	rand.Read(b)
	out := make([]byte, 0, 9)
	for i, x := range b {
		if i == 4 {
			out = append(out, '-')
		}
		out = append(out, letters[int(x)%len(letters)])
	}
	return string(out)
}

// sweep forgets what is over. The caller holds the lock.
func (h *house) sweep() {
	now := h.s.o.Now().Time
	for id, a := range h.asks {
		if !a.ExpiresAt.After(now) {
			delete(h.asks, id)
		}
	}
	for hash, c := range h.codes {
		if !c.expires.After(now) {
			delete(h.codes, hash)
		}
	}
}

// begun is the cookie by which the browser that began a sign-in is known. Each sign-in has its own, so that several can
// wait in one browser and no browser's cookie is good for the next one.
func (h *house) begun(id, value string) *http.Cookie {
	c := &http.Cookie{Name: "showhow-" + nameOf(id)[:12], Value: value, Path: "/", MaxAge: int(codeLife.Seconds()), HttpOnly: true,
		SameSite: http.SameSiteLaxMode}
	if strings.HasPrefix(h.settings.URL, "https:") {
		c.Name, c.Secure = "__Host-"+c.Name, true
	}
	return c
}

// shownFrom is where a sign-in came from, as far as it can be known here.
func (h *house) shownFrom(address string) string {
	if h.proxied(address) {
		return "somewhere, through the proxy"
	}
	return address
}

// wait makes a sign-in wait. One program's new sign-in from an address replaces its earlier one from there.
func (h *house) wait(c Client, q *oidc.AuthRequest, scopes []string, resource, from string) (id string, cookie *http.Cookie, ok bool) {
	now := h.s.o.Now()
	most := h.share(maxWaitingOf, maxWaiting)(from)
	from = h.shownFrom(from)
	to, _ := url.Parse(q.RedirectURI) // it is one of the registered ones
	h.mu.Lock()
	h.sweep()
	open, its := 0, 0
	for k, a := range h.asks {
		if a.client == c.ClientID && a.From == from && !a.answered {
			delete(h.asks, k)
			continue
		}
		if open++; a.From == from {
			its++
		}
	}
	if ok = open < maxWaiting && its < most; ok {
		id = newToken("")
		cookie = h.begun(id, newToken(""))
		h.asks[id] = &ask{RemoteRequest: wire.RemoteRequest{RequestID: nameOf(id)[:16], ClientName: c.Name, SendsTo: to.Host,
			Scopes: scopes, Resource: resource, From: from, AskedAt: now, ExpiresAt: now.Plus(codeLife)},
			code: shortCode(), browser: hashOf(cookie.Value),
			client: c.ClientID, redirect: q.RedirectURI, state: q.State, challenge: q.CodeChallenge}
	}
	h.mu.Unlock()
	if ok {
		h.s.o.Changed()
	}
	return id, cookie, ok
}

// waiting lists the sign-ins that wait, oldest first.
func (h *house) waiting() []wire.RemoteRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sweep()
	out := []wire.RemoteRequest{}
	for _, a := range h.asks {
		if !a.answered {
			out = append(out, a.RemoteRequest)
		}
	}
	slices.SortFunc(out, func(a, b wire.RemoteRequest) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt.Time), cmp.Compare(a.RequestID, b.RequestID))
	})
	return out
}

// named finds the sign-in that a decision is about. To let one in, the person has typed the code that their own browser
// shows: it proves that they began it. A wrong code counts against every sign-in that it could have been for, and one
// with too many of them is over.
func (h *house) named(request string, d wire.RemoteDecision) (r wire.RemoteRequest, c Caller, ok bool) {
	h.mu.Lock()
	h.sweep()
	var tried []string
	for id, a := range h.asks {
		switch {
		case a.answered || request != AnyRequest && a.RequestID != request:
		case d.Code == "" && !d.Allow && request != AnyRequest, d.Code != "" && sameText(a.code, d.Code):
			r, ok = a.RemoteRequest, true
			c.ClientID, c.ClientName, c.Resource = a.client, a.ClientName, a.Resource
		default:
			tried = append(tried, id)
		}
	}
	dropped := false
	if !ok && d.Code != "" {
		for _, id := range tried {
			if h.asks[id].wrong++; h.asks[id].wrong >= maxWrong {
				delete(h.asks, id)
				dropped = true
			}
		}
	}
	h.mu.Unlock()
	if dropped {
		h.s.o.Changed()
	}
	return r, c, ok
}

// decide stores a person's answer until the browser fetches it.
func (h *house) decide(request string, c *Caller) {
	h.mu.Lock()
	for _, a := range h.asks {
		if a.RequestID == request {
			a.answered, a.caller = true, c
		}
	}
	h.mu.Unlock()
	h.s.o.Changed()
}

// consent is the page that the browser waits on: that one alone, by its cookie, because the address can be known to
// others. With the person's answer it sends the browser back to the program.
func (h *house) consent(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet { // a HEAD would use the answer up
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, http.StatusMethodNotAllowed, "invalid_request", "this page is read by GET")
		return
	}
	id := r.URL.Query().Get("id")
	h.mu.Lock()
	h.sweep()
	a := h.asks[id]
	if cookie, err := r.Cookie(h.begun(id, "").Name); a == nil || err != nil || !sameSecret(a.browser, cookie.Value) {
		h.mu.Unlock()
		h.show(w, http.StatusNotFound, shownPage{})
		return
	}
	if !a.answered {
		x := shownPage{Name: a.ClientName, Code: a.code}
		for _, scope := range a.Scopes {
			x.May = append(x.May, About(scope))
		}
		h.mu.Unlock()
		h.show(w, http.StatusOK, x)
		return
	}
	delete(h.asks, id)
	u, _ := url.Parse(a.redirect)
	v := u.Query()
	if a.caller == nil {
		v.Set("error", "access_denied")
	} else {
		c := newToken("ac_")
		h.codes[nameOf(c)] = &code{caller: *a.caller, client: a.client, redirect: a.redirect, challenge: a.challenge,
			expires: h.s.o.Now().Plus(codeLife)}
		v.Set("code", c)
	}
	h.mu.Unlock()
	if a.state != "" {
		v.Set("state", a.state)
	}
	v.Set("iss", h.settings.URL)
	over := h.begun(id, "")
	over.MaxAge = -1
	http.SetCookie(w, over)
	u.RawQuery = v.Encode()
	w.Header().Set("Location", u.String())
	w.WriteHeader(http.StatusFound)
}

// redeem takes a code. One that comes again names the caller whose it was; any mistake with it makes it worthless.
func (h *house) redeem(text string) (x *code, again string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sweep()
	x = h.codes[nameOf(text)]
	switch {
	case x == nil:
		return nil, ""
	case x.used:
		return nil, x.caller.CallerID
	}
	x.used = true
	out := *x
	return &out, ""
}
