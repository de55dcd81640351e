package probe_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"showhow/daemon/capability/probe"
)

// The health probe of a manifest is run (baseline 1.1B): commands, connectors and sites, and nothing else.
func TestR9_1_1B_HealthProbe(t *testing.T) {
	var asked, elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	status := http.StatusOK
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if status == http.StatusFound {
			http.Redirect(w, r, other.URL, status)
			return
		}
		w.WriteHeader(status)
	}))
	secure := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer secure.Close()
	host := strings.TrimPrefix(site.URL, "http://")
	m := probe.Machine{Sites: []string{host, strings.TrimPrefix(secure.URL, "https://")},
		LookPath: func(name string) (string, error) {
			if name == "wc" {
				return "/usr/bin/wc", nil
			}
			return "", errors.New("no")
		},
		Connector: func(id string) string {
			if id == "ledger" {
				return "ledger needs a sign-in"
			}
			return ""
		}}
	run := func(kind, target string) probe.Result {
		return probe.Run(t.Context(), probe.Probe{Kind: kind, Target: target, Timeout: 5 * time.Second}, m)
	}
	for _, c := range []struct {
		name, kind, target string
		status             int
		ran, passed        bool
		code               string
	}{
		{"a site", "browser", site.URL + "/parcels", 200, true, true, ""},
		{"a site by its name", "browser", host, 200, true, true, ""},
		{"signed out", "browser", site.URL, 401, true, true, ""},
		{"elsewhere", "browser", site.URL, 302, true, true, ""},
		{"a site in trouble", "browser", site.URL, 503, true, false, probe.ServerError},
		{"a certificate of its own", "browser", secure.URL, 200, true, true, ""},
		{"a site that nobody allowed", "browser", other.URL, 200, false, false, ""},
		{"an address with an input", "browser", site.URL + "/{parcel}", 200, false, false, ""},
		{"a command", "command", "command -v wc", 0, true, true, ""},
		{"a command that is missing", "command", "command -v wc parcelctl", 0, true, false, probe.CommandMissing},
		{"a connector", "command", "showhow connector show ledger", 0, true, false, probe.ConnectorUnavailable},
		{"a tool", "tool", "mcp__mail__send", 0, true, true, ""},
		{"nothing", "noop", "none", 0, false, false, ""},
	} {
		status = c.status
		if r := run(c.kind, c.target); r.Ran != c.ran || r.Passed != c.passed || r.Code != c.code || c.ran && r.Told == "" {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	if asked.Load() != 5 || elsewhere.Load() != 0 {
		t.Errorf("%d requests, %d elsewhere", asked.Load(), elsewhere.Load())
	}
	site.Close()
	if r := run("browser", site.URL); r.Passed || r.Code != probe.SiteUnreachable || r.Requests != 1 {
		t.Errorf("%+v", r)
	}
}
