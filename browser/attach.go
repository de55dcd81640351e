package browser

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp/remote"

	"showhow/internal/fault"
)

// Attach speaks to a Chromium on this machine that was started with --remote-debugging-port. Every local process can use
// such a port as well; whoever offers this to a person says so (decisions B5).
func Attach(ctx context.Context, port int) (*Browser, error) {
	if port < 1 || port > 65535 {
		return nil, fault.New(fault.Usage, "not a port number").WithHint("use the number given to --remote-debugging-port")
	}
	base := "http://127.0.0.1:" + strconv.Itoa(port)
	ws, err := debuggerURL(ctx, base)
	if err != nil {
		return nil, fault.Wrap(err, fault.AdapterUnavailable, "no browser answers on this port").
			WithHint("start Chromium with --remote-debugging-port=" + strconv.Itoa(port) + " and a --user-data-dir of its own")
	}
	return Dial(ctx, ws)
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

// debuggerURL asks the port which browser it is.
func debuggerURL(ctx context.Context, base string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/json/version", nil)
	if err != nil {
		return "", err
	}
	t := &http.Transport{DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: t}).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var v struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	return v.URL, json.NewDecoder(resp.Body).Decode(&v)
}

func loopback(host string) bool {
	return host == "127.0.0.1" || host == "localhost" || host == "::1"
}
