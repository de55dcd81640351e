package remote_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"showhow/daemon/wire"
)

// from makes requests come from an address of this computer: all of 127.0.0.0/8 is.
func from(address string) *http.Client {
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true},
		CheckRedirect: direct.CheckRedirect}
}

const program = `{"client_name":"P","redirect_uris":["` + back + `"],"token_endpoint_auth_method":"none"}`

// One address leaves places to the others: of registrations, of sign-ins that wait and of connections.
func TestOneAddressLeavesPlacesToOthers(t *testing.T) {
	x := begin(t)
	post := func(c *http.Client, at, kind, body string) int {
		t.Helper()
		res, err := c.Post(x.url+at, kind, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode >= 400 && !res.Close {
			t.Errorf("%d: the connection stays", res.StatusCode)
		}
		return res.StatusCode
	}
	one, other := from("127.0.0.2"), from("127.0.0.3")
	good := 0
	for range 8 {
		if post(one, "/oauth/register", "application/json", program) == http.StatusCreated {
			good++
		}
	}
	if good != 5 || post(other, "/oauth/register", "application/json", program) != http.StatusCreated {
		t.Errorf("%d registrations of one address, or none of another", good)
	}
	ask := func(c *http.Client, client string) bool {
		t.Helper()
		res, err := c.Get(x.url + "/oauth/authorize?" + x.request(client, "showhow").Encode())
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return strings.HasPrefix(res.Header.Get("Location"), x.url+"/oauth/consent?id=")
	}
	good = 0
	clients := []string{x.client(), x.client(), x.client(), x.client(), x.client()}
	for _, client := range clients {
		if ask(one, client) {
			good++
		}
	}
	if good != 3 || !ask(other, clients[0]) {
		t.Errorf("%d sign-ins of one address, or none of another", good)
	}
	at := strings.TrimPrefix(x.url, "http://")
	served := func(address string) bool {
		t.Helper()
		c, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		_, _ = fmt.Fprintf(c, "GET /health HTTP/1.1\r\nHost: %s\r\n\r\n", at)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return false
		}
		_, _ = io.Copy(io.Discard, res.Body)
		return res.StatusCode == http.StatusOK
	}
	good = 0
	for range 40 {
		if served("127.0.0.4") {
			good++
		}
	}
	if good != 32 || !served("127.0.0.5") {
		t.Errorf("%d connections of one address, or none of another", good)
	}
}

// All callers come through a proxy with its one address: it can have all places.
func TestAProxyHasAllPlaces(t *testing.T) {
	x := begin(t)
	const name = "showhow.example"
	if _, err := x.s.On(t.Context(), wire.RemoteOn{Addresses: []string{"127.0.0.1:0"}, URL: "https://" + name}); err != nil {
		t.Fatal(err)
	}
	st, err := x.s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		a := x.do("POST", "http://"+st.Addresses[0]+"/oauth/register", "application/json", program, func(r *http.Request) { r.Host = name })
		if a.status != http.StatusCreated {
			t.Errorf("%d: %d %s", i, a.status, a.body)
		}
	}
}
