package scope

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"showhow/capture"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// maxEntries bounds each list of a scope.
const maxEntries = 50

// Normalise returns the scope in the one form that Allows compares: apps in lower case; sites as host[:port] in
// ASCII, without a default port (80, 443); shells without /dev/; folders cleaned; no entry twice, no list nil.
//
// A site without a port stands for its scheme's default port only. A loopback host must name its port, because every
// program of the machine shares it. A bad entry is an INVALID_REQUEST that names field and index, never what was
// submitted.
func Normalise(s capture.Scope) (capture.Scope, error) {
	var bad []map[string]string
	list := func(field string, in []string, norm func(string) (string, string)) []string {
		out := make([]string, 0, len(in))
		if len(in) > maxEntries {
			bad = append(bad, violation("scope."+field, fmt.Sprintf("at most %d entries", maxEntries)))
			return out
		}
		for i, entry := range in {
			v, problem := norm(entry)
			if problem != "" {
				bad = append(bad, violation(fmt.Sprintf("scope.%s[%d]", field, i), problem))
			} else if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		return out
	}
	n := capture.Scope{
		Apps:    list("apps", s.Apps, normApp),
		Sites:   list("sites", s.Sites, normSite),
		Folders: list("folders", s.Folders, normFolder),
		Shells:  list("shells", s.Shells, normShell),
		Devices: list("devices", s.Devices, normDevice),
	}
	if len(bad) > 0 {
		return capture.Scope{}, fault.Newf(fault.InvalidRequest, "what may be watched is not valid, %s: %s", spoken(bad[0]["path"]),
			bad[0]["rule"]).
			WithHint("a site is written like shop.example.com or localhost:8080, a folder like /home/me/reports, a terminal like pts/3").WithDetail(
			"violations", bad)
	}
	return n, nil
}

// spoken is a path as a person says it: body.scope.sites[1] is "site 2", body.scope.sites "sites".
func spoken(path string) string {
	field, index, one := strings.Cut(strings.TrimPrefix(path, "body.scope."), "[")
	n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
	if !one || err != nil {
		return field
	}
	return strings.TrimSuffix(field, "s") + " " + strconv.Itoa(n+1)
}

// violation has the wire's form.
func violation(field, rule string) map[string]string {
	return map[string]string{"path": "body." + field, "rule": rule}
}

// Each norm function returns the normal form, or what is wrong without repeating the input.

func normName(s string, n int) (string, string) {
	s = strings.Join(strings.Fields(s), " ")
	switch {
	case s == "":
		return "", "must not be empty"
	case len(s) > n:
		return "", fmt.Sprintf("must be at most %d bytes", n)
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", "must not contain control characters"
	}
	return s, ""
}

func normApp(s string) (string, string) {
	s, problem := normName(s, 80)
	if problem != "" {
		return "", problem
	}
	if strings.ContainsAny(s, `/\*`) {
		return "", "must be an app's name, not a path or pattern"
	}
	s = strings.ToLower(s)
	for _, ext := range []string{".exe", ".app"} {
		if cut := strings.TrimSuffix(s, ext); cut != "" {
			s = cut
		}
	}
	return s, ""
}

func normDevice(s string) (string, string) { return normName(s, 200) }

var ttyRE = lazyre.New(`^(?:pts/\d{1,6}|tty[A-Za-z]{0,4}\d{1,6}|con(?:pty)?\d{1,9})$`)

func normShell(s string) (string, string) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "/dev/")
	if !ttyRE.MatchString(s) {
		return "", `must be one terminal, as "pts/3" or "ttys003"`
	}
	return s, ""
}

func normFolder(s string) (string, string) {
	if strings.ContainsRune(s, 0) || len(s) > 4096 {
		return "", "must be a path"
	}
	if !filepath.IsAbs(s) {
		return "", "must be an absolute path"
	}
	s = filepath.Clean(s)
	if s == filepath.Dir(s) {
		return "", "must be a folder below the root"
	}
	return s, ""
}

// specialUse are top-level names under which strangers cannot register (RFC 2606, 6761, 6762): wildcards are allowed
// there.
var specialUse = []string{"localhost", "test", "internal", "lan", "local", "example"}

func normSite(s string) (string, string) {
	scheme := ""
	s = strings.ToLower(strings.TrimSpace(s))
	for _, p := range []string{"http://", "https://"} {
		if rest, ok := strings.CutPrefix(s, p); ok {
			scheme, s = p[:len(p)-3], strings.TrimSuffix(rest, "/")
		}
	}
	if s == "" {
		return "", "must not be empty"
	}
	if strings.ContainsAny(s, "/?#@ \t\n%\\\x00") {
		return "", "must be a host, optionally with a port; no path, no user"
	}
	host, port, problem := splitHostPort(s)
	if problem != "" {
		return "", problem
	}
	wild := strings.HasPrefix(host, "*.")
	host, problem = normHost(strings.TrimPrefix(host, "*."))
	if problem != "" {
		return "", problem
	}
	if wild {
		if problem := wildcardProblem(host); problem != "" {
			return "", problem
		}
	}
	if isLoopback(host) {
		if port == "" {
			port = map[string]string{"http": "80", "https": "443"}[scheme]
		}
		if port == "" {
			return "", "must name the port of a program on this machine, as localhost:8080"
		}
	} else if port == "80" || port == "443" {
		port = ""
	}
	if wild {
		host = "*." + host
	}
	return joinHostPort(host, port), ""
}

func wildcardProblem(host string) string {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return "an address has no subdomains"
	}
	if slices.Contains(specialUse, host) {
		return ""
	}
	if suffix, _ := publicsuffix.PublicSuffix(host); suffix == host {
		return "a wildcard must name a domain of one owner, not a public suffix"
	}
	return ""
}

func splitHostPort(s string) (host, port, problem string) {
	if a, err := netip.ParseAddr(s); err == nil && a.Is6() {
		return "[" + s + "]", "", ""
	}
	u, err := url.Parse("//" + s)
	if err != nil {
		return "", "", "must be a host, optionally with a port"
	}
	host, port = u.Host, u.Port()
	if h, p, err := net.SplitHostPort(s); err == nil {
		host = h
		if strings.Contains(h, ":") {
			host = "[" + h + "]"
		}
		n := 0
		for _, c := range p {
			if c < '0' || c > '9' || n > 65535 {
				return "", "", "must have a port between 1 and 65535"
			}
			n = n*10 + int(c-'0')
		}
		if n < 1 || n > 65535 {
			return "", "", "must have a port between 1 and 65535"
		}
		port = fmt.Sprint(n)
	}
	return host, port, ""
}

// normHost is the host as browsers write it: an address in its short form, else ASCII.
func normHost(h string) (string, string) {
	if a, err := netip.ParseAddr(strings.Trim(h, "[]")); err == nil {
		if a.Is6() {
			return "[" + a.WithZone("").String() + "]", ""
		}
		return a.String(), ""
	}
	h = strings.TrimSuffix(h, ".")
	ascii, err := idna.Lookup.ToASCII(h)
	ascii = strings.TrimSuffix(ascii, ".") // the other full stops of Unicode have become this one
	if a, err := netip.ParseAddr(ascii); err == nil {
		return a.String(), ""
	}
	if err != nil || strings.HasSuffix(ascii, ".") || ascii == "" || len(ascii) > 253 || strings.ContainsAny(ascii, "*:[]_ ") ||
		strings.HasPrefix(ascii, ".") || strings.Contains(ascii, "..") {
		return "", `must be an exact host, or "*." and a domain for its subdomains`
	}
	return strings.ToLower(ascii), ""
}

func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && (a.Unmap().IsLoopback() || a.IsUnspecified())
}

func joinHostPort(host, port string) string {
	if port == "" {
		return host
	}
	return host + ":" + port
}
