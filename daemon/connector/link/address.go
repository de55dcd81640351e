package link

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"showhow/internal/fault"
	"showhow/internal/reach"
)

// Address parses the address of a service: https anywhere, http on this computer only, no password in it.
func Address(raw string) (*url.URL, error) {
	refuse := func(reason, text string) (*url.URL, error) {
		return nil, fault.New(fault.ConnectorAddress, text).WithDetail("reason", reason).
			WithHint("an address begins with https://; http:// is for services on this computer")
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		return refuse("unreadable", "this is no address of a service")
	case u.User != nil:
		return refuse("credentials", "an address must not hold a name or a password")
	case u.Fragment != "":
		return refuse("fragment", "an address of a service has no fragment")
	case !Local(u) && literally(u, reach.Forbidden):
		return refuse("forbidden_address", "this is an address of this machine or of its network's own")
	case u.Scheme == "https", u.Scheme == "http" && Local(u):
		return u, nil
	}
	return refuse("scheme", "what is sent to this address could be read on the way")
}

// Local reports whether an address names this computer.
func Local(u *url.URL) bool { return reach.Local(u) }

// literally reports whether an address is an IP literal that satisfies is.
func literally(u *url.URL, is func(netip.Addr) bool) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && is(ip.WithZone(""))
}

var errForbidden = errors.New("the name leads to an address that is not connected to")

// Transport connects only where u may lead: from an address on this computer to this computer, from any other to none
// of the addresses that a foreign name must not resolve to.
func Transport(u *url.URL) *http.Transport {
	local := Local(u)
	d := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second,
		Control: func(_, address string, _ syscall.RawConn) error {
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return err
			}
			ip, err := netip.ParseAddr(host)
			if err != nil {
				return err
			}
			if local != ip.Unmap().IsLoopback() || !local && reach.Forbidden(ip) {
				return errForbidden
			}
			return nil
		}}
	return &http.Transport{DialContext: d.DialContext, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConnsPerHost: 16,
		IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 256 << 10}
}

var errRedirect = errors.New("the service wants to be asked elsewhere")

// SameOrigin refuses redirects that leave the origin: the credentials are meant for it alone.
func SameOrigin(to *http.Request, via []*http.Request) error {
	from := via[0].URL
	if len(via) > 5 || to.URL.Scheme != from.Scheme || to.URL.Host != from.Host {
		return errRedirect
	}
	return nil
}
