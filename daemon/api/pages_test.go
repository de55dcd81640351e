package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// The pages are for a browser on the loopback port alone, behind the same guard as the API, and with a policy of their own.
func TestPages(t *testing.T) {
	r := newRig(t, func(d *Deps) {
		d.UI = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("the page")) })
	})
	var o wire.SessionOpened
	if err := json.Unmarshal(r.do("POST", "/api/session/open", "").ok(t, 201).body, &o); err != nil || !o.Pages {
		t.Fatalf("a build with pages opened %+v, %v", o, err)
	}
	base, _, _ := strings.Cut(o.URL, "/#")
	for _, path := range []string{"/", "/learn/new", "/assets/x.js"} {
		a := send(t, http.DefaultClient, base+path, "GET", "")
		if string(a.body) != "the page" {
			t.Errorf("%s answered %s", path, a.body)
		}
		if p := a.header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'self';") || strings.Contains(p, "unsafe") {
			t.Errorf("%s is served under %q", path, p)
		}
	}
	send(t, http.DefaultClient, base+"/", "GET", "", "Sec-Fetch-Site: same-site").want(t, fault.OriginRefused)
	send(t, http.DefaultClient, base+"/", "GET", "", "Origin: http://127.0.0.1:1").want(t, fault.OriginRefused)
	r.do("GET", "/learn/new", "").want(t, fault.RouteNotFound) // not on the socket
}

func TestWithoutPagesTheLoginSaysSo(t *testing.T) {
	r := newRig(t)
	var o wire.SessionOpened
	if err := json.Unmarshal(r.do("POST", "/api/session/open", "").ok(t, 201).body, &o); err != nil || o.Pages {
		t.Fatalf("a build without pages opened %+v, %v", o, err)
	}
}
