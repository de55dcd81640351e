package remote

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"

	"github.com/zitadel/oidc/v3/pkg/oidc"

	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// ask is a sign-in that waits for a person.
type ask struct {
	wire.RemoteRequest
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

// wait makes a sign-in wait. One program's new sign-in from an address replaces its earlier one from there.
func (h *house) wait(c Client, q *oidc.AuthRequest, scopes []string, resource, from string) (id string, ok bool) {
	now := h.s.o.Now()
	to, _ := url.Parse(q.RedirectURI) // it is one of the registered ones
	h.mu.Lock()
	h.sweep()
	open := 0
	for k, a := range h.asks {
		if a.client == c.ClientID && a.From == from && !a.answered {
			delete(h.asks, k)
		} else {
			open++
		}
	}
	if ok = open < maxWaiting; ok {
		id = newToken("")
		h.asks[id] = &ask{RemoteRequest: wire.RemoteRequest{Code: shortCode(), ClientName: c.Name, SendsTo: to.Host, Scopes: scopes,
			Resource: resource, From: from, AskedAt: now, ExpiresAt: now.Plus(codeLife)},
			client: c.ClientID, redirect: q.RedirectURI, state: q.State, challenge: q.CodeChallenge}
	}
	h.mu.Unlock()
	if ok {
		h.s.o.Changed()
	}
	return id, ok
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
		return cmp.Or(a.AskedAt.Compare(b.AskedAt.Time), cmp.Compare(a.Code, b.Code))
	})
	return out
}

// callerFor is the caller that a waiting sign-in would become.
func (h *house) callerFor(code string) (c Caller) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.asks {
		if a.Code == code && !a.answered {
			c.ClientID, c.ClientName, c.Resource = a.client, a.ClientName, a.Resource
		}
	}
	return c
}

// decide stores a person's answer until the browser fetches it.
func (h *house) decide(code string, c *Caller) {
	h.mu.Lock()
	for _, a := range h.asks {
		if a.Code == code {
			a.answered, a.caller = true, c
		}
	}
	h.mu.Unlock()
	h.s.o.Changed()
}

// consent is the page that the browser waits on. With the person's answer it sends the browser back to the program.
func (h *house) consent(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	h.mu.Lock()
	h.sweep()
	a := h.asks[id]
	if a == nil {
		h.mu.Unlock()
		h.show(w, http.StatusNotFound, "", "")
		return
	}
	if !a.answered {
		name, short := a.ClientName, a.Code
		h.mu.Unlock()
		h.show(w, http.StatusOK, name, short)
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
