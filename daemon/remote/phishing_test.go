package remote_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Somebody begins a sign-in under a name that the person trusts, and waits for the person's yes to it.
func TestWhoBeganGetsNothingByAnothersYes(t *testing.T) {
	x := begin(t)
	client := x.client()
	a := x.get("/oauth/authorize?" + x.request(client, "showhow.mcp").Encode())
	page, kept := a.header.Get("Location"), x.cookies
	set := a.header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(set, want) {
			t.Errorf("%q lacks %s", set, want)
		}
	}
	// The address of the page alone is worth nothing.
	x.cookies = nil
	if a := x.get(page); a.status != http.StatusNotFound || shown.MatchString(a.body) {
		t.Errorf("%d %s", a.status, a.body)
	}
	x.cookies = []*http.Cookie{{Name: kept[0].Name, Value: strings.Repeat("x", 54)}}
	if a := x.get(page); a.status != http.StatusNotFound {
		t.Errorf("%d with a guessed cookie", a.status)
	}
	x.cookies = kept
	code := shown.FindStringSubmatch(x.get(page).body)[1]
	// What the person sees of it has no code that they could say yes to.
	st, _ := x.s.Status(t.Context())
	if b, _ := json.Marshal(st); strings.Contains(string(b), code) {
		t.Errorf("%s", b)
	}
	id := st.Waiting[0].RequestID
	for _, d := range []wire.RemoteDecision{{Allow: true}, {Allow: true, Code: "BBBB-BBBB"}} {
		if _, err := x.s.Decide(t.Context(), id, d); !fault.Is(err, fault.NotFound) {
			t.Errorf("%+v: %v", d, err)
		}
	}
	if _, err := x.s.Decide(t.Context(), id, wire.RemoteDecision{Allow: true, Code: code}); err != nil {
		t.Fatal(err)
	}
	x.cookies = nil
	if to := x.get(page).header.Get("Location"); to != "" {
		t.Errorf("another browser gets %s", to)
	}
	x.cookies = kept
	if to := x.get(page).header.Get("Location"); !strings.Contains(to, "code=ac_") {
		t.Errorf("the browser that began gets %q", to)
	}
}

// A code cannot be guessed: after a few wrong ones there is nothing left to guess.
func TestWrongCodesEndASignIn(t *testing.T) {
	for _, by := range []string{"any", "its id"} {
		x := begin(t)
		_, code := x.ask(x.request(x.client(), "showhow"))
		st, _ := x.s.Status(t.Context())
		request := remote.AnyRequest
		if by != "any" {
			request = st.Waiting[0].RequestID
		}
		for i := range 5 {
			if st, _ := x.s.Status(t.Context()); len(st.Waiting) != 1 {
				t.Fatalf("by %s: over after %d wrong codes", by, i)
			}
			if _, err := x.s.Asked(request, wire.RemoteDecision{Allow: true, Code: "2222-2222"}); !fault.Is(err, fault.NotFound) {
				t.Errorf("%v", err)
			}
		}
		if _, err := x.s.Decide(t.Context(), request, wire.RemoteDecision{Allow: true, Code: code}); !fault.Is(err, fault.NotFound) {
			t.Errorf("by %s: the sixth try lets it in: %v", by, err)
		}
	}
}

// The address of a proxy is not shown as if it were the caller's, and its TLS makes the cookie one of the host's alone.
func TestBehindAProxyNobodyKnowsTheAddress(t *testing.T) {
	x := begin(t)
	on, err := x.s.On(t.Context(), wire.RemoteOn{Addresses: []string{strings.TrimPrefix(x.url, "http://")}, URL: "https://desk.example"})
	if err != nil {
		t.Fatal(err)
	}
	asks := func(r *http.Request) { r.Host = "desk.example" }
	a := x.do("POST", "/oauth/register", "application/json", `{"redirect_uris":["`+back+`"],"token_endpoint_auth_method":"none"}`, asks)
	a = x.do("GET", "/oauth/authorize?"+x.request(a.json(t)["client_id"].(string), "showhow").Encode(), "", "", asks)
	if set := a.header.Get("Set-Cookie"); !strings.HasPrefix(set, "__Host-") || !strings.Contains(set, "Secure") {
		t.Errorf("%d %q", a.status, set)
	}
	st, _ := x.s.Status(t.Context())
	if len(st.Waiting) != 1 || !strings.Contains(st.Waiting[0].From, "through the proxy") {
		t.Errorf("%+v %+v", on, st.Waiting)
	}
}
