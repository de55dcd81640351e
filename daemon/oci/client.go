package oci

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"syscall"
	"time"

	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"showhow/internal/fault"
	"showhow/internal/reach"
)

// Bounds of a conversation with a registry.
const (
	answerTime    = 20 * time.Second // until a response's header
	maxManifest   = 4 << 20          // also of a page of tags or names
	maxPages      = 200              // of tags, names or referrers
	maxRedirects  = 5
	repositoryAsk = 1000 // names a page
)

var (
	errForbidden = errors.New("the registry leads to an address that is not connected to")
	errPlain     = errors.New("the registry leads to an address without TLS")
)

// transports are shared, so that connections are reused.
type transports struct {
	home *http.Transport // to a registry on this computer that the person named
	away *http.Transport // to everything else
}

func newTransports() *transports {
	to := func(check func(netip.Addr) error) *http.Transport {
		d := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second,
			Control: func(_, address string, _ syscall.RawConn) error {
				ap, err := netip.ParseAddrPort(address)
				if err != nil {
					return err
				}
				return check(ap.Addr())
			}}
		return &http.Transport{DialContext: d.DialContext, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: answerTime,
			MaxIdleConnsPerHost: 16, IdleConnTimeout: 30 * time.Second, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10,
			DisableCompression: true} // or a small answer could be an endless one
	}
	return &transports{
		home: to(func(ip netip.Addr) error {
			if !ip.Unmap().IsLoopback() {
				return errForbidden
			}
			return nil
		}),
		away: to(func(ip netip.Addr) error {
			if reach.Forbidden(ip) {
				return errForbidden
			}
			return nil
		}),
	}
}

// guard is the way to one registry, and to where that leads. The decision is made for each request, so it covers
// redirects, uploads and token servers, and again for the address that a name resolved to.
type guard struct {
	t        *transports
	registry string // host[:port] as the person named it
}

// RoundTrip implements http.RoundTripper.
func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case localRegistry(g.registry) && r.URL.Host == g.registry:
		return g.t.home.RoundTrip(r)
	case reach.Local(r.URL):
		return nil, errForbidden
	case r.URL.Scheme != "https":
		return nil, errPlain
	}
	return g.t.away.RoundTrip(r)
}

// client speaks with a registry, with what the docker credential store holds for it.
func (s *Service) client(registry string) *auth.Client {
	c := &auth.Client{
		Client: &http.Client{Transport: guard{s.transports(), registry}, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errors.New("too many redirects")
			}
			return nil
		}},
		Cache: s.tokens, ClientID: "showhow", Credential: s.credential,
		BlockedRealmPrefixes: []netip.Prefix{}, // guard decides, for every request and by the address that is connected to
	}
	c.SetUserAgent("showhow")
	return c
}

// credential asks the docker credential store, which is read anew each time: people sign in meanwhile.
func (s *Service) credential(ctx context.Context, hostport string) (auth.Credential, error) {
	store, err := credentials.NewStore(filepath.Join(s.o.ConfigDir, "config.json"), credentials.StoreOptions{})
	if err != nil { // its text quotes the file
		return auth.EmptyCredential, errStore
	}
	c, err := credentials.Credential(store)(ctx, hostport)
	if err != nil {
		return auth.EmptyCredential, errStore
	}
	return c, nil
}

var errStore = fault.New(fault.RegistrySignIn, "the docker credential store could not be read").
	WithHint("`docker login HOST` or `oras login HOST` writes it; look at config.json in ~/.docker and its credential helper")

// repository is the client for one skill's repository.
func (s *Service) repository(r Reference) *remote.Repository {
	return &remote.Repository{Client: s.client(r.Registry), Reference: r.Reference, PlainHTTP: r.local(), MaxMetadataBytes: maxManifest,
		TagListMaxPages: maxPages, ReferrerListMaxPages: maxPages, SkipReferrersGC: true}
}
