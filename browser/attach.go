package browser

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp/remote"

	"showhow/internal/fault"
)

// AttachWarning is what a person reads before Showhow attaches to a debugging port (decisions B5).
const AttachWarning = "Every program on this computer that can reach a debugging port can read and drive that browser, with all the " +
	"sites it is signed in to. Close the browser when you are done."

// AttachOptions identify the running browser to attach to.
type AttachOptions struct {
	// Address is the debugging port, with or without a loopback host: "9222", "127.0.0.1:9222", "[::1]:9222".
	Address string
	// Match, if set, reports whether an open page (host, with :port unless it is the scheme's
	// default) is one of those the person means. If no page matches, this is not the browser the
	// person has in mind.
	Match func(site string) bool
}

// Attach connects to a Chromium on this machine that was started with --remote-debugging-port. It
// refuses a browser that is not clearly the person's own: details.reason is one of nothing_listens,
// not_a_browser, two_browsers, open_to_network, other_user, no_page, no_matching_page. Every local
// process can use such a port as well, so show AttachWarning first.
func Attach(ctx context.Context, o AttachOptions) (*Browser, error) {
	hosts, port, err := loopbackAddress(o.Address)
	if err != nil {
		return nil, err
	}
	found, err := listening(ctx, hosts, port)
	if err != nil {
		return nil, err
	}
	if err := guarded(ctx, found, port); err != nil {
		return nil, err
	}
	b, err := Dial(ctx, found.ws)
	if err != nil {
		return nil, err
	}
	if err := b.shows(ctx, o.Match); err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

func refusal(reason, message string) *fault.Error {
	return fault.New(fault.AdapterUnavailable, message).WithDetail("reason", reason)
}

func startHint(port string) string {
	return "close that browser and start it again with --remote-debugging-port=" + port + " and a --user-data-dir of its own"
}

// shows checks that an ordinary window of the browser shows a page that matches.
func (b *Browser) shows(ctx context.Context, match func(string) bool) error {
	contexts, err := cdp.Call(ctx, b.Root(), target.GetBrowserContexts, cdp.Empty{})
	if err != nil {
		return fault.Wrap(err, fault.AdapterUnavailable, "the browser does not answer")
	}
	targets, err := cdp.Call(ctx, b.Root(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return fault.Wrap(err, fault.AdapterUnavailable, "the browser does not answer")
	}
	pages := 0
	for _, t := range targets.TargetInfos {
		if t.Type != "page" || contexts.DefaultBrowserContextID != "" && t.BrowserContextID != contexts.DefaultBrowserContextID {
			continue
		}
		pages++
		if match == nil || match(Site(t.URL)) {
			return nil
		}
	}
	if pages == 0 {
		return refusal("no_page", "that browser has no page open in an ordinary window").WithHint(
			"open the page of your task in it; private windows are never watched")
	}
	return refusal("no_matching_page",
		fmt.Sprintf("none of the %d pages open in that browser is of a site that you named: perhaps it is another browser", pages)).
		WithHint("open the page of your task in that browser first, then try again")
}

// Site is the host of a web address as scopes write it: with the port unless it is the scheme's default; "" for anything else.
func Site(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.ToLower(u.Host)
	return strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443")
}

// Dial connects to a browser's WebSocket debugging address on this machine.
func Dial(ctx context.Context, ws string) (*Browser, error) {
	u, err := url.Parse(ws)
	if err != nil || !loopback(u.Hostname()) {
		return nil, fault.New(fault.Usage, "only a browser on this machine can be watched").WithHint("use an address on 127.0.0.1")
	}
	conn, err := remote.DialContext(ctx, ws)
	if err != nil {
		return nil, fault.Wrap(err, fault.AdapterUnavailable, "the browser refused the connection")
	}
	b := &Browser{Conn: NewConn(conn), ws: ws}
	v, err := cdp.Call(ctx, b.Root(), browser.GetVersion, cdp.Empty{})
	if err != nil {
		_ = b.Close()
		return nil, fault.Wrap(err, fault.AdapterUnavailable, "the browser does not answer")
	}
	if err := b.DownloadTo(ctx, ""); err != nil {
		_ = b.Close()
		return nil, err
	}
	b.product = v.Product
	b.family = family(strings.ToLower(strings.TrimPrefix(v.Product, "Headless")))
	return b, nil
}

func loopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost"
}
