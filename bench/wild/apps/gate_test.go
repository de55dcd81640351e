package apps

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// A gate that lies withholds what changes something, also in a socket, and nothing else.
func TestAGateLies(t *testing.T) {
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !websocket.IsWebSocketUpgrade(r) {
			_, _ = w.Write([]byte(r.Method))
			return
		}
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			kind, message, err := c.ReadMessage()
			if err != nil || c.WriteMessage(kind, append([]byte("heard "), message...)) != nil {
				return
			}
		}
	}))
	defer program.Close()
	g, err := NewGate(func(message []byte) bool { return bytes.Contains(message, []byte("drop")) })
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for _, lying := range []bool{false, true} {
		g.Before(strings.TrimPrefix(program.URL, "http://"), lying)
		resp, err := http.Post("http://"+g.Host(), "text/plain", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		_, _ = said.ReadFrom(resp.Body)
		_ = resp.Body.Close()
		if got := said.String() == "GET"; got != lying {
			t.Errorf("lying %v: the program was sent %s", lying, &said)
		}
		g.Before(strings.TrimPrefix(program.URL, "http://"), lying)
		c, answer, err := websocket.DefaultDialer.Dial("ws://"+g.Host()+"/live", nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		for _, m := range []string{"show", "drop it", "show more"} {
			if err := c.WriteMessage(websocket.TextMessage, []byte(m)); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{"heard show", "heard drop it", "heard show more"}
		if lying {
			want = []string{"heard show", "heard show more"}
		}
		for _, w := range want {
			if _, m, err := c.ReadMessage(); err != nil || string(m) != w {
				t.Errorf("lying %v: %s %v, not %s", lying, m, err, w)
			}
		}
		_ = c.Close()
		if g.Lied() != lying {
			t.Errorf("lying %v: lied %v", lying, g.Lied())
		}
	}
}
