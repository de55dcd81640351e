package policy

import (
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"showhow/daemon/rehearse/record"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Sites says where a run happens: on the demonstrated sites, or at other addresses of the same applications
// (start_url, start_urls).
type Sites struct {
	moved []move
	Hosts []string // that may be reached
}

// move replaces a demonstrated site with another address.
type move struct {
	from string // the demonstrated host
	To   *url.URL
}

// SitesOf returns the sites of a request; Moves has reported errors before.
func SitesOf(req record.Request) Sites {
	moved, _ := Moves(req) // errors were reported before the run
	return Sites{moved: moved, Hosts: AllowedHosts(req)}
}

// Moves lists the addresses that a request names, each for one demonstrated site. A single address needs no site if
// only one was demonstrated.
func Moves(req record.Request) (out []move, err error) {
	shown := demonstrated(req)
	add := func(from, address string) {
		u, perr := url.Parse(address)
		switch {
		case perr != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			err = fault.New(fault.InvalidRequest, "start_url is not an http or https address").WithHint("write it with http:// or https://")
		case from == "" && len(shown) > 1 && !slices.Contains(shown, strings.ToLower(u.Host)):
			err = fault.New(fault.InvalidRequest, "several sites were demonstrated: "+strings.Join(shown, ", ")).WithDetail("sites", shown).
				WithHint("say which one the address stands for: --start-url " + shown[0] + "=" + u.Scheme + "://" + u.Host)
		case from != "" && !slices.Contains(shown, from):
			err = fault.New(fault.InvalidRequest, "the site "+from+" is none of those that were demonstrated: "+strings.Join(shown,
				", ")).WithDetail("sites", shown)
		case from == "" && slices.Contains(shown, strings.ToLower(u.Host)):
			out = append(out, move{strings.ToLower(u.Host), u}) // the same site, at another page
		case from == "" && len(shown) == 0:
			out = append(out, move{"", u})
		case from == "":
			out = append(out, move{shown[0], u})
		default:
			out = append(out, move{from, u})
		}
	}
	for _, from := range slices.Sorted(maps.Keys(req.StartURLs)) {
		add(strings.ToLower(from), req.StartURLs[from])
	}
	if req.StartURL != "" {
		add("", req.StartURL)
	}
	return out, err
}

// at is the address that replaces a demonstrated host, nil for none.
func (s Sites) at(host string) *url.URL {
	for _, m := range s.moved {
		if m.from != "" && strings.EqualFold(m.from, host) {
			return m.To
		}
	}
	return nil
}

// Line replaces the demonstrated sites in a command line with the run's.
func (s Sites) Line(l string) string {
	return inLine.ReplaceAllStringFunc(l, func(found string) string {
		_, host, _ := strings.Cut(found, "://")
		if to := s.at(host); to != nil {
			return to.Scheme + "://" + to.Host
		}
		return found
	})
}

// Address replaces the demonstrated site of an address with the run's.
func (s Sites) Address(a string) string {
	u, err := url.Parse(a)
	if err != nil {
		return a
	}
	to := s.at(u.Host)
	if to == nil {
		return a
	}
	rest := a[len(u.Scheme)+len("://"):]
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		return to.Scheme + "://" + to.Host + rest[i:]
	}
	return to.Scheme + "://" + to.Host + "/"
}

// Begin is the address to begin at: the person's own when it names a page, or else the demonstrated one.
func (s Sites) Begin(demonstrated string) string {
	if demonstrated == "" && len(s.moved) > 0 {
		return s.moved[0].To.String()
	}
	if u, err := url.Parse(demonstrated); err == nil {
		if to := s.at(u.Host); to != nil && strings.Trim(to.Path, "/") != "" {
			return to.String()
		}
	}
	return s.Address(demonstrated)
}

// AllowedHosts are the hosts that a run may reach: the policy's, or else the skill's own, and those that the request
// adds, without the replaced sites.
func AllowedHosts(req record.Request) []string {
	hosts := slices.Clone(Of(req).AllowedDomains)
	if len(hosts) == 0 {
		moved, _ := Moves(req)
		hosts = slices.DeleteFunc(slices.Clone(req.Draft.RequiredSites), func(h string) bool {
			return slices.ContainsFunc(moved, func(m move) bool { return strings.EqualFold(h, m.from) && !strings.EqualFold(h, m.To.Host) })
		})
	}
	return append(hosts, req.AllowHosts...)
}

// demonstrated lists the sites of the demonstrated pages in order; without any, those that commands name.
func demonstrated(req record.Request) (out []string) {
	add := func(h string) {
		if h = strings.ToLower(h); h != "" && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	for _, st := range req.Draft.Graph.Steps {
		if st.Surface == OnBrowser {
			add(HostOf(st))
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, st := range req.Draft.Graph.Steps {
		for _, m := range inLine.FindAllStringSubmatch(st.Command, -1) {
			add(m[1])
		}
	}
	return out
}

var inLine = lazyre.New(`(?i)https?://([a-z0-9.\-]+(?::[0-9]+)?)`)

// Allows reports whether a host is among the allowed ones: exact, or below a *. entry; a port counts only if one is
// given.
func Allows(allowed []string, host string) bool {
	host = strings.ToLower(host)
	bare := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		bare = h
	}
	return slices.ContainsFunc(allowed, func(a string) bool {
		a = strings.ToLower(a)
		if tail, ok := strings.CutPrefix(a, "*."); ok {
			return strings.HasSuffix(bare, "."+tail) || strings.HasSuffix(host, "."+tail)
		}
		return a == host || a == bare
	})
}
