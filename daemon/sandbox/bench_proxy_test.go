package sandbox

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"
)

// BenchmarkTrustProxy measures what the proxy adds to a request: 1 KB from a server on this machine, each request on a
// connection of its own, through the proxy and without it in turns; the difference of the medians of 300. On one machine the
// network costs nothing, so that the figure is the proxy's own work.
func BenchmarkTrustProxy(b *testing.B) {
	body := make([]byte, 1<<10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	defer server.Close()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	p := NewProxy(AllowHosts([]string{"shop.example", "*.shop.example", server.Listener.Addr().String()}))
	served := make(chan error, 1)
	go func() { served <- p.Serve(ln) }()
	defer func() {
		p.Close()
		<-served
	}()
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	proxied := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: ln.Addr().String()})}}
	fetch := func(c *http.Client) float64 {
		start := time.Now()
		res, err := c.Get(server.URL)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if err != nil || n != int64(len(body)) || res.StatusCode != http.StatusOK {
			b.Fatal(res.Status, n, err)
		}
		return float64(time.Since(start).Nanoseconds()) / 1e6
	}
	for b.Loop() {
		var with, without []float64
		for range 300 {
			without = append(without, fetch(direct))
			with = append(with, fetch(proxied))
		}
		slices.Sort(with)
		slices.Sort(without)
		b.ReportMetric(with[len(with)/2]-without[len(without)/2], "proxy_p50_ms")
	}
}
