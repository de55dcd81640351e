package scope_test

import (
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/capture/scope"
	"showhow/internal/fault"
)

func TestNormalise(t *testing.T) {
	got, err := scope.Normalise(capture.Scope{
		Apps: []string{" Firefox ", "firefox", "LibreOffice  Calc", "notepad.exe"},
		Sites: []string{"Example.COM", "https://example.com/", "*.Bücher.example", "localhost:8080", "http://127.0.0.1", "[::1]:9000",
			"h.example:443", "h.example:8443", "host.example."},
		Folders: []string{"/srv/data/", "/srv/data"},
		Shells:  []string{"/dev/pts/3", "ttys003"},
		Devices: []string{"Launchpad  Mini"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]string{
		"apps": {strings.Join(got.Apps, " | "), "firefox | libreoffice calc | notepad"},
		"sites": {strings.Join(got.Sites, " "),
			"example.com *.xn--bcher-kva.example localhost:8080 127.0.0.1:80 [::1]:9000 h.example h.example:8443 host.example"},
		"folders": {strings.Join(got.Folders, " "), "/srv/data"},
		"shells":  {strings.Join(got.Shells, " "), "pts/3 ttys003"},
		"devices": {strings.Join(got.Devices, " "), "Launchpad Mini"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	if again, err := scope.Normalise(got); err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("not a fixed point: %s, %v", fmt.Sprintf("%+v", again), err)
	}
}

func TestBadEntriesAreNamedNotRepeated(t *testing.T) {
	for _, s := range []capture.Scope{
		{Sites: []string{"ok.example", "*"}}, {Sites: []string{"ok.example", "*.com"}}, {Sites: []string{"ok.example", "*.co.uk"}},
		{Sites: []string{"ok.example", "localhost"}}, {Sites: []string{"ok.example", "127.0.0.1"}},
		{Sites: []string{"ok.example", "a.localhost"}},
		{Sites: []string{"ok.example", "secret.example/path"}}, {Sites: []string{"ok.example", "u:pw@secret.example"}},
		{Sites: []string{"ok.example", "h.example:0"}},
		{Sites: []string{"ok.example", "h.example:99999"}}, {Sites: []string{"ok.example", "ftp://h.example"}},
		{Sites: []string{"ok.example", "a*.example"}},
		{Sites: []string{"ok.example", "*.10.0.0.1"}}, {Sites: []string{"ok.example", ""}}, {Sites: []string{"ok.example", "*.github.io"}},
		{Apps: []string{"ok", "/usr/bin/secret"}}, {Apps: []string{"ok", "a\x00b"}}, {Folders: []string{"/ok", "secret/rel"}},
		{Folders: []string{"/ok", "/"}},
		{Shells: []string{"pts/1", "bash"}}, {Shells: []string{"pts/1", "*"}}, {Devices: []string{"ok", " "}},
	} {
		_, err := scope.Normalise(s)
		if !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		if strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), " 2: ") {
			t.Errorf("message %q", err)
		}
	}
	if _, err := scope.Normalise(capture.Scope{Apps: make([]string, 51)}); !fault.Is(err, fault.InvalidRequest) {
		t.Error("51 entries accepted")
	}
}

func TestAllows(t *testing.T) {
	within, err := scope.Normalise(capture.Scope{Apps: []string{"calc"},
		Sites:   []string{"shop.example", "*.corp.example", "localhost:8080", "localhost:80", "api.example:8443"},
		Folders: []string{"/srv/out"}, Shells: []string{"pts/3"}, Devices: []string{"Launchpad"}})
	if err != nil {
		t.Fatal(err)
	}
	browser := func(site string) capture.Origin { return capture.Origin{App: "chromium", Site: site} }
	for _, c := range []struct {
		o    capture.Origin
		want capture.WithheldReason
	}{
		{browser("shop.example"), ""}, {browser("SHOP.example."), ""}, {browser("shop.example:8080"), capture.OffScope},
		{browser("www.shop.example"), capture.OffScope},
		{browser("a.corp.example"), ""}, {browser("a.b.corp.example"), ""}, {browser("corp.example"), capture.OffScope},
		{browser("evilcorp.example"), capture.OffScope},
		{browser("localhost:8080"), ""}, {browser("localhost"), ""}, {browser("localhost:9090"), capture.OffScope},
		{browser("127.0.0.1:8080"), capture.OffScope},
		{browser("api.example:8443"), ""}, {browser("api.example"), capture.OffScope}, {browser(""), capture.OffScope},
		{capture.Origin{App: "chromium"}, capture.OffScope}, {capture.Origin{App: "Calc"}, ""}, {capture.Origin{App: "writer"}, capture.OffScope},
		{capture.Origin{App: "bash", Shell: "pts/3"}, ""}, {capture.Origin{App: "calc", Shell: "pts/4"}, capture.OffScope},
		{capture.Origin{App: "bash", Shell: "pts/33"}, capture.OffScope},
		{capture.Origin{Folder: "/srv/out/a/b"}, ""}, {capture.Origin{Folder: "/srv/out"}, ""},
		{capture.Origin{Folder: "/srv/output"}, capture.OffScope}, {capture.Origin{Folder: "/srv/out/../x"}, capture.OffScope},
		{capture.Origin{Device: "launchpad"}, ""}, {capture.Origin{Device: "other"}, capture.OffScope}, {capture.Origin{}, capture.OffScope},
		{capture.Origin{App: "calc", Own: true}, capture.OwnWindow}, {capture.Origin{App: "calc", Private: true}, capture.PrivateData},
		{capture.Origin{Shell: "pts/3", Private: true}, capture.ShellPrivate},
	} {
		ok, reason := scope.Allows(within, c.o)
		if ok != (c.want == "") || reason != c.want {
			t.Errorf("%+v: %v %q, want %q", c.o, ok, reason, c.want)
		}
	}
	if ok, reason := scope.Allows(capture.Scope{}, browser("shop.example")); ok || reason != capture.NoScope {
		t.Errorf("empty scope: %v %q", ok, reason)
	}
	only := capture.Scope{Apps: []string{"chromium"}}
	if ok, _ := scope.Allows(only, browser("shop.example")); ok {
		t.Error("naming the browser opened a site")
	}
	other := capture.Scope{Apps: []string{"firefox"}, Sites: []string{"shop.example"}}
	if ok, _ := scope.Allows(other, browser("shop.example")); ok {
		t.Error("another browser than the named one was allowed")
	}
}

// FuzzScope: for any entry and host, an allowed host equals the entry's or lies below its wildcard.
func FuzzScope(f *testing.F) {
	for _, s := range [][2]string{{"shop.example", "shop.example"}, {"*.corp.example", "x.corp.example"}, {"localhost:80", "localhost"},
		{"[::1]:1", "[::1]:1"}, {"*.a.b", "c.a.b:8"}, {"bücher.example", "xn--bcher-kva.example"}, {"*.com", "x.com"}, {"1.2.3.4", "1.2.3.4"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, entry, site string) {
		within, err := scope.Normalise(capture.Scope{Sites: []string{entry}})
		if err != nil {
			if fault.CodeOf(err) != fault.InvalidRequest {
				t.Fatal(err)
			}
			return
		}
		if again, err := scope.Normalise(within); err != nil || again.Sites[0] != within.Sites[0] {
			t.Fatalf("%q is no fixed point: %v %v", within.Sites[0], again.Sites, err)
		}
		if ok, _ := scope.Allows(within, capture.Origin{App: "chromium", Site: site}); !ok {
			return
		}
		host, u := hostOf(within.Sites[0]), hostOf(site)
		if domain, ok := strings.CutPrefix(host, "*."); ok {
			if !strings.HasSuffix(u, "."+domain) || u == domain {
				t.Fatalf("%q allowed by %q", site, within.Sites[0])
			}
		} else if u != host {
			t.Fatalf("%q allowed by %q", site, within.Sites[0])
		}
	})
}

// hostOf is the test's own definition of a host: lower case, without port and final dot, addresses in their short
// form.
func hostOf(s string) string {
	s = strings.ToLower(s)
	if u, err := url.Parse("//" + s); err == nil && !strings.Contains(s, "*") {
		s = u.Hostname()
	} else if i := strings.LastIndexByte(s, ':'); i > 0 {
		s = s[:i]
	}
	if a, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return a.WithZone("").String()
	}
	return strings.TrimSuffix(s, ".")
}

// A person reads which entry is wrong, not a path into a document.
func TestAWrongEntryIsNamedInWords(t *testing.T) {
	for want, s := range map[string]capture.Scope{
		"site 2: must be a host": {Sites: []string{"a.example", "no such host/"}},
		"folder 1: must be an":   {Folders: []string{"reports"}},
		"apps: at most 50":       {Apps: make([]string, 51)},
	} {
		if _, err := scope.Normalise(s); err == nil || !strings.Contains(fault.From(err).Message, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
