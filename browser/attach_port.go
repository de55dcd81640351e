package browser

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"showhow/internal/fault"
)

// portTime bounds each request to a port.
const portTime = 3 * time.Second

// listener is what answered at an address of this machine.
type listener struct {
	host string // "127.0.0.1" or "::1"
	ws   string // WebSocket address of the browser, "" if it is not a browser
	id   string // the browser's own id
}

// loopbackAddress parses the address the person gave into the hosts to ask and the port.
func loopbackAddress(address string) (hosts []string, port string, err error) {
	usage := func(message string) error {
		return fault.New(fault.Usage, message).WithHint("use the number that the browser was started with: --remote-debugging-port=NUMBER")
	}
	address = strings.TrimSpace(address)
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Host
	}
	host, port, splitErr := net.SplitHostPort(address)
	if splitErr != nil {
		host, port = "", address
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return nil, "", usage("not a port number")
	}
	switch {
	case host == "" || host == "localhost":
		return []string{"127.0.0.1", "::1"}, port, nil
	case loopback(host):
		return []string{host}, port, nil
	}
	return nil, "", usage("only a browser on this computer can be watched, through a loopback address")
}

// listening finds the only browser that listens on a port.
func listening(ctx context.Context, hosts []string, port string) (listener, error) {
	var found []listener
	for _, host := range hosts {
		if l, ok := ask(ctx, host, port); ok {
			found = append(found, l)
		}
	}
	switch {
	case len(found) == 0:
		return listener{}, refusal("nothing_listens", "no browser answers on port "+port).
			WithHint("start it with --remote-debugging-port=" + port + " and a --user-data-dir of its own")
	case len(found) == 2 && found[0].id != found[1].id:
		return listener{}, refusal("two_browsers", "two different programs answer on port "+port+": one at 127.0.0.1, one at [::1]").
			WithHint("say which one you mean: 127.0.0.1:" + port + " or [::1]:" + port)
	case found[0].ws == "":
		return listener{}, refusal("not_a_browser", "what answers on port "+port+" is not a browser").
			WithHint("use the port that the browser was started with: --remote-debugging-port=NUMBER")
	}
	return found[0], nil
}

// ask asks an address which browser it is. Other programs have no browser WebSocket address: Node's
// inspector answers the same question about itself.
func ask(ctx context.Context, host, port string) (l listener, listens bool) {
	ctx, cancel := context.WithTimeout(ctx, portTime)
	defer cancel()
	at := net.JoinHostPort(host, port)
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", at)
	if err != nil {
		return l, false
	}
	_ = conn.Close()
	l.host, l.id = host, "?"+host
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at+"/json/version", nil)
	if err != nil {
		return l, true
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil}, CheckRedirect: noRedirect}).Do(req)
	if err != nil {
		return l, true
	}
	defer resp.Body.Close()
	var v struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	_ = json.NewDecoder(io.LimitReader(resp.Body, 64<<10)).Decode(&v)
	u, err := url.Parse(v.URL)
	if id, ok := strings.CutPrefix(u.Path, "/devtools/browser/"); err == nil && ok && id != "" {
		l.id, l.ws = id, (&url.URL{Scheme: "ws", Host: at, Path: u.Path}).String()
	}
	return l, true
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// guarded refuses a browser that somebody else can drive: one that listens on the network or runs
// as another user.
func guarded(ctx context.Context, l listener, port string) error {
	if uid, known := owner(l.host, port); known && !mine(uid) {
		return refusal("other_user", "the browser on port "+port+" belongs to another user of this computer").
			WithHint("start a browser of your own on another port")
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil // nothing is known of the network
	}
	for _, a := range addresses {
		ip, _, err := net.ParseCIDR(a.String())
		if err != nil || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
			continue
		}
		if other, ok := ask(ctx, ip.String(), port); ok && other.id == l.id {
			return refusal("open_to_network", "port "+port+" is open to your network: other computers can drive that browser").
				WithHint(startHint(port) + ", without --remote-debugging-address")
		}
	}
	return nil
}
