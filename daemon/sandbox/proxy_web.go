package sandbox

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// NewWebProxy is a proxy for a browser that a run operates. It differs from one for commands in what a person expects
// of a browser: an allowed name may lead to this machine, as the names of sites under development do; the
// environment's proxy is used on the way out; and for an unreachable host there is no response at all, so that the
// browser reports that instead of showing a response that the site never gave.
func NewWebProxy(allow func(hostport string) bool) *Proxy {
	p := NewProxy(allow)
	p.connect = p.through
	t := p.plain.Transport.(*http.Transport)
	t.Proxy, t.DialContext = environment, p.near
	p.plain.ErrorHandler = func(http.ResponseWriter, *http.Request, error) {
		panic(http.ErrAbortHandler) // makes net/http close the connection without a response
	}
	return p
}

// environment is the environment's proxy for a request, as net/http reads it; HTTP proxies only.
func environment(r *http.Request) (*url.URL, error) {
	u, err := http.ProxyFromEnvironment(r)
	if err != nil || u == nil || u.Scheme != "http" {
		return nil, err
	}
	return u, nil
}

// near connects directly to an address. Names below localhost are this machine without a lookup, as in browsers.
func (p *Proxy) near(ctx context.Context, network, address string) (net.Conn, error) {
	if host, port, err := net.SplitHostPort(address); err == nil && (host == "localhost" || strings.HasSuffix(host, ".localhost")) {
		c, err := p.dialer.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
		if err == nil {
			return c, nil
		}
		address = net.JoinHostPort("::1", port)
	}
	return p.dialer.DialContext(ctx, network, address)
}

// through connects to an address through the environment's proxy, if any.
func (p *Proxy) through(ctx context.Context, network, address string) (net.Conn, error) {
	up, err := environment(&http.Request{URL: &url.URL{Scheme: "https", Host: address}})
	if err != nil {
		return nil, err
	}
	if up == nil {
		return p.near(ctx, network, address)
	}
	at := up.Host
	if up.Port() == "" {
		at = net.JoinHostPort(up.Hostname(), "80")
	}
	c, err := p.dialer.DialContext(ctx, network, at)
	if err != nil {
		return nil, err
	}
	if err := tunnelThrough(ctx, c, up, address); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

var errUpstream = errors.New("the proxy that the environment names refused")

// tunnelThrough asks the proxy at c for a connection to address.
func tunnelThrough(ctx context.Context, c net.Conn, up *url.URL, address string) error {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	r := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if pass, ok := up.User.Password(); ok {
		r.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(up.User.Username()+":"+pass)))
	}
	if err := r.Write(c); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(onlyHead{c}, 1), r)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return errUpstream
	}
	return nil
}

// onlyHead reads one byte at a time, so that nothing after the response's head is consumed from the connection.
type onlyHead struct{ c net.Conn }

func (o onlyHead) Read(b []byte) (int, error) { return o.c.Read(b[:min(len(b), 1)]) }
