package remote_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func browsing(r *http.Request) { r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8") }

// A person whose browser ends at an error reads it on a page; a program gets what OAuth prescribes.
func TestErrorsForPersonsArePages(t *testing.T) {
	x := begin(t)
	unknown := "/oauth/authorize?" + x.request("nobody", "showhow").Encode()
	for at, says := range map[string]string{
		unknown:                 "no such client is registered",
		"/":                     "showhow open",
		"/settings":             "showhow open",
		"/oauth/consent?id=one": "This sign-in is over",
		"/oauth/authorize?client_id=a&client_id=b": "more than once",
	} {
		a := x.do("GET", at, "", "", browsing)
		if a.status < 400 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.body, says) ||
			strings.Contains(a.body, `{"error`) {
			t.Errorf("%s: %d %s\n%s", at, a.status, a.header.Get("Content-Type"), a.body)
		}
	}
	if a := x.get(unknown); !strings.Contains(a.body, `"error"`) {
		t.Errorf("a program: %s", a.body)
	}
	if a := x.do("GET", "/mcp", "", "", browsing); a.status != http.StatusUnauthorized || strings.Contains(a.body, "<html") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := x.do("GET", "/oauth/authorize?client_id="+url.QueryEscape("<b>x</b>"), "", "", browsing); strings.Contains(a.body, "<b>x") {
		t.Error(a.body)
	}
}

// The page in the browser says what is asked for, and where the code is to be typed.
func TestTheCodesPageSaysWhatIsAskedFor(t *testing.T) {
	x := begin(t)
	page, _ := x.ask(x.request(x.client(), "showhow.mcp showhow.connectors"))
	a := x.get(page)
	for _, want := range []string{remote.About(remote.ScopeMCP), remote.About(remote.ScopeConnectors), strings.TrimPrefix(x.url, "http://")} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%q is not in\n%s", want, a.body)
		}
	}
}

// Scopes that do not go together are refused in words that say which do, and before a person is asked.
func TestScopesOfTwoAddresses(t *testing.T) {
	x := begin(t)
	a := x.get("/oauth/authorize?" + x.request(x.client(), "showhow.write showhow.mcp").Encode())
	to, err := url.Parse(a.header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	if said := to.Query().Get("error_description"); !strings.Contains(said, "one sign-in is for one address") ||
		!strings.Contains(said, "showhow.mcp, showhow.connectors") {
		t.Error(a.status, said)
	}
	if _, _, err := x.s.Called(t.Context(), "", wire.RemoteDecision{},
		&wire.RemoteMachineAdd{Name: "ledger", Resource: "mcp", Scopes: []string{"showhow.write"}}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a person is asked about scopes that are refused: %v", err)
	}
	_, code := x.ask(x.request(x.client(), "showhow.mcp"))
	if _, err := x.s.Asked("any", wire.RemoteDecision{Allow: true, Code: code, Scopes: []string{"showhow.connectors"}}); !fault.Is(err,
		fault.InvalidRequest) {
		t.Errorf("%v", err)
	}
}
