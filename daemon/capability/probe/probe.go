// Package probe runs the health probe that an ability's manifest names (baseline 1.1B): whether what the ability needs
// answers at all. It costs next to nothing, and comes before a look, which starts a browser.
//
// Guarantees: nothing of the ability is performed. A command is looked up and not run; a site is asked for its first
// page once, without cookies, following no redirect, and only if it is among the sites that the caller allows. Whatever
// a site answers, it answers; only one that cannot be reached, or cannot serve the page, fails.
//
// Package upkeep runs it within a canary's consent. To test it, give it a server.
package probe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Probe is what a manifest says.
type Probe struct {
	Kind    string // command, tool, browser, noop
	Target  string
	Timeout time.Duration
}

// Machine is what a probe asks.
type Machine struct {
	LookPath  func(command string) (string, error) // nil: exec.LookPath
	Connector func(id string) (why string)         // why a connector cannot be used now, "" when it can; nil: all can
	Sites     []string                             // that may be asked
}

// Result is what came of it.
type Result struct {
	Ran      bool // false: the manifest names nothing that could be asked here
	Passed   bool
	Code     string // of a failure
	Told     string // in words
	Requests int
}

// The codes of failures.
const (
	CommandMissing       = "command_missing"
	ConnectorUnavailable = "connector_unavailable"
	SiteUnreachable      = "site_unreachable"
	ServerError          = "server_error"
)

// maxTimeout bounds what a manifest may ask for.
const maxTimeout = 30 * time.Second

// showConnector begins the command of a probe that asks for a connector.
const showConnector = "showhow connector show "

// Run runs a probe.
func Run(ctx context.Context, p Probe, m Machine) Result {
	switch p.Kind {
	case "command":
		return command(p.Target, m)
	case "tool":
		return connector(p.Target, m)
	case "browser":
		ctx, cancel := context.WithTimeout(ctx, min(max(p.Timeout, time.Second), maxTimeout))
		defer cancel()
		return site(ctx, p.Target, m)
	}
	return Result{}
}

func command(target string, m Machine) Result {
	if id, ok := strings.CutPrefix(target, showConnector); ok {
		return connector(id, m)
	}
	look := m.LookPath
	if look == nil {
		look = exec.LookPath
	}
	names := strings.Fields(strings.TrimPrefix(target, "command -v "))
	for _, name := range names {
		if _, err := look(name); err != nil {
			return Result{Ran: true, Code: CommandMissing, Told: fmt.Sprintf("the command %q is not installed here", name)}
		}
	}
	return Result{Ran: len(names) > 0, Passed: len(names) > 0, Told: "its commands are installed"}
}

func connector(id string, m Machine) Result {
	id, _, _ = strings.Cut(strings.TrimPrefix(id, "mcp__"), "__")
	if m.Connector != nil {
		if why := m.Connector(id); why != "" {
			return Result{Ran: true, Code: ConnectorUnavailable, Told: why}
		}
	}
	return Result{Ran: true, Passed: true, Told: "its connector can be used"}
}

func site(ctx context.Context, target string, m Machine) Result {
	u := address(target)
	if u == nil || !allowed(u, m.Sites) {
		return Result{}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Result{}
	}
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	c := http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.Do(req)
	switch {
	case err != nil && unsafe(err): // the browser decides about certificates
		return Result{Ran: true, Passed: true, Told: u.Host + " answers", Requests: 1}
	case err != nil:
		return Result{Ran: true, Code: SiteUnreachable, Told: "nothing answers at " + u.Host, Requests: 1}
	}
	_ = res.Body.Close()
	if res.StatusCode >= 500 {
		return Result{Ran: true, Code: ServerError, Told: fmt.Sprintf("%s answers with %d", u.Host, res.StatusCode), Requests: 1}
	}
	return Result{Ran: true, Passed: true, Told: u.Host + " answers", Requests: 1}
}

// address is the page that a manifest names: an address, or a site.
func address(target string) *url.URL {
	if !strings.Contains(target, "://") {
		target = "https://" + target + "/"
		if host, _, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(target, "https://"), "/")); err == nil && loopback(host) {
			target = strings.Replace(target, "https:", "http:", 1)
		}
	}
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(target, "{}") {
		return nil
	}
	u.User, u.Fragment = nil, ""
	return u
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// allowed reports whether the sites name the address.
func allowed(u *url.URL, sites []string) bool {
	return slices.ContainsFunc(sites, func(s string) bool { return strings.EqualFold(s, u.Host) || strings.EqualFold(s, u.Hostname()) })
}

// unsafe reports whether the site answered with a certificate that this program does not trust.
func unsafe(err error) bool {
	var verify *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.As(err, &verify) || errors.As(err, &unknown) || errors.As(err, &host)
}
