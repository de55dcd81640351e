package stage

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
	"showhow/browser/player"
	"showhow/daemon/sandbox"
)

// waysOut tries what a page has to reach another host, told to the page's own host when all of it has come to an end.
const waysOut = `<!doctype html><title>ways out</title><link rel=preconnect href="http://{enemy}">` +
	`<link rel=prefetch href="http://{enemy}/prefetch">
<link rel=dns-prefetch href="http://{enemy}"><img src="http://{enemy}/img"><iframe src="http://{enemy}/frame"></iframe>
<script>
const ended = (o, ...names) => new Promise((done) => { for (const n of names) o['on' + n] = () => done(n); setTimeout(done, 20000, ` +
	`'late'); });
const ways = [
  fetch('http://{enemy}/fetch').then(() => 'answered', () => 'failed'),
  ended(new WebSocket('ws://{enemy}/socket'), 'open', 'error'),
  ended(new EventSource('http://{enemy}/events'), 'open', 'error'),
  (async () => {
    navigator.sendBeacon('http://{enemy}/beacon', 'x');
    const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:{udp}' }, { urls: 'turn:{udp}', username: 'a', credential: 'b' }, { ` +
	`urls: 'turn:{enemy}?transport=tcp', username: 'a', credential: 'b' }] });
    c.createDataChannel('x');
    await c.setLocalDescription(await c.createOffer());
    c.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 {port} typ host', sdpMid: '0', sdpMLineIndex: 0 }).catch(() ` +
	`=> {});
    if (c.iceGatheringState !== 'complete') await new Promise((done) => { c.onicegatheringstatechange = () => c.iceGatheringState === ` +
	`'complete' && done(); setTimeout(done, 20000); });
    return 'gathered';
  })(),
  (async () => { try { await new WebTransport('https://{udp}/').ready; return 'answered'; } catch { return 'failed'; } })(),
];
Promise.all(ways).then((told) => fetch('/told', { method: 'POST', body: told.join() }), (e) => fetch('/told', { method: 'POST', body: ` +
	`'broke ' + e }));
</script>`

// reached counts what comes to a host by TCP and UDP.
type reached struct {
	mu       sync.Mutex
	tcp, udp []string
	address  string
	packets  net.PacketConn
}

func (r *reached) count() (tcp, udp int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.tcp), len(r.udp)
}

func enemyHost(t *testing.T) *reached {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &reached{address: ln.Addr().String(), packets: pc}
	var served sync.WaitGroup
	served.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			served.Go(func() {
				defer c.Close()
				_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
				line := make([]byte, 64)
				n, _ := c.Read(line)
				r.mu.Lock()
				r.tcp = append(r.tcp, string(line[:n]))
				r.mu.Unlock()
			})
		}
	})
	served.Go(func() {
		b := make([]byte, 1500)
		for {
			n, _, err := pc.ReadFrom(b)
			if err != nil {
				return
			}
			r.mu.Lock()
			r.udp = append(r.udp, fmt.Sprintf("%x", b[:min(n, 8)]))
			r.mu.Unlock()
		}
	})
	t.Cleanup(func() {
		ln.Close()
		pc.Close()
		served.Wait()
	})
	return r
}

// Whatever a page sends, by any protocol, reaches no unnamed host, even if nothing judges its requests and its scripts
// are unrestricted: the player's own guard is left out here. The host itself counts.
func TestRehearsalGate(t *testing.T) {
	for kind, visit := range map[string]func(t *testing.T, hosts []string, url string) (leave func()){
		"a browser of its own": visitAlone, "a shared browser": visitShared} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			testGate(t, visit)
		})
	}
}

func visitAlone(t *testing.T, hosts []string, url string) func() {
	flags := player.Flags(hosts)
	if os.Getenv("WITHOUT_GATE") == "" { // the other way shows that the page does find its ways
		g, err := openGate(hosts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(g.Close)
		flags = append(flags, player.ProxyFlags(g.address)...)
	}
	b, err := browser.Launch(t.Context(), browser.Options{Headless: new(true), NoSandbox: true, ExtraArgs: flags, StartURL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return func() { _ = b.Close() }
}

func visitShared(t *testing.T, hosts []string, url string) func() {
	g, err := openGate(hosts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	s := New(Options{Dir: t.TempDir(), Browser: browser.Options{NoSandbox: true}})
	t.Cleanup(func() { _ = s.Close() })
	l := s.shared.lend(t.Context(), g.address)
	if l == nil {
		t.Fatal("nothing was lent")
	}
	root := s.shared.browser.Root()
	all, err := cdp.Call(t.Context(), root, target.GetBrowserContexts, cdp.Empty{})
	if err != nil || len(all.BrowserContextIDs) != 1 {
		t.Fatal(all, err)
	}
	open := target.CreateTargetParams{URL: url, BrowserContextID: all.BrowserContextIDs[0]}
	if _, err := cdp.Call(t.Context(), root, target.CreateTarget, open); err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() { _ = l.dispose(); l.back() })
}

func testGate(t *testing.T, visit func(t *testing.T, hosts []string, url string) (leave func())) {
	if _, err := browser.Find(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("install chromium: ", err)
		}
		t.Skip(err)
	}
	enemy := enemyHost(t)
	told := make(chan string, 1)
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			udp := enemy.packets.LocalAddr().String()
			_, _ = io.WriteString(w, strings.NewReplacer("{enemy}", enemy.address, "{udp}", udp, "{port}",
				udp[strings.LastIndex(udp, ":")+1:]).Replace(waysOut))
		case "/told":
			body, _ := io.ReadAll(r.Body)
			select {
			case told <- string(body):
			default:
			}
		}
	}))
	t.Cleanup(home.Close)
	hosts := []string{strings.TrimPrefix(home.URL, "http://")}
	leave := visit(t, hosts, home.URL+"/")
	t.Cleanup(leave)
	select {
	case got := <-told:
		t.Log(got)
		if os.Getenv("WITHOUT_GATE") == "" && got != "failed,error,error,gathered,failed" {
			t.Errorf("the page was told %q", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("the page did not come to an end")
	}
	leave() // what it still meant to send, it has
	if tcp, udp := enemy.count(); tcp+udp > 0 {
		t.Errorf("%d connections %q and %d datagrams %q reached the host", tcp, enemy.tcp, udp, enemy.udp)
	}
}

// A proxy for a browser hangs up where a host cannot be reached: an answer of its own would be taken for the site's.
func TestGateHangsUp(t *testing.T) {
	t.Parallel()
	p := sandbox.NewWebProxy(func(string) bool { return true })
	s := httptest.NewServer(p)
	t.Cleanup(func() {
		_ = p.Close()
		s.Close()
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := ln.Addr().String()
	ln.Close()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintf(c, "GET http://%s/ HTTP/1.1\r\nHost: %s\r\n\r\n", dead, dead)
	if said, _ := io.ReadAll(c); len(said) > 0 {
		t.Errorf("it said %q", said)
	}
}
