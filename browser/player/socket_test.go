package player

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"showhow/internal/await"
)

// hearing is a server of sockets that notes what it is sent.
type hearing struct {
	mu   sync.Mutex
	said []string
}

func (h *hearing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	for {
		kind, text, err := c.ReadMessage()
		if err != nil {
			h.note("closed")
			return
		}
		if kind == websocket.BinaryMessage {
			h.note("binary " + string(text))
		} else {
			h.note(string(text))
		}
		_ = c.WriteMessage(websocket.TextMessage, text)
	}
}

func (h *hearing) note(s string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, s)
}

func (h *hearing) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.said)
}

// Each message through a socket is asked about before it is sent, in the order in which the page sends them, also from a frame and a
// worker; a refused one never gets there, and the others do.
func TestMessagesOfASocketAreJudged(t *testing.T) {
	const talk = `const ws = new WebSocket('ws://' + location.host + '/live'); ws.onopen = () => { const a = new Uint8Array([90, 91, 92, 93]);
ws.send('one of NAME'); ws.send('secret of NAME'); ws.send(a.subarray(1, 3)); a.fill(65); ws.send('last of NAME'); ws.close(); };`
	h := &hearing{}
	s := serve(t, map[string]any{"/": `<!doctype html><title>-</title><h1>Live</h1><iframe src=/framed></iframe><script>` +
		strings.ReplaceAll(talk, "NAME", "page") + `; new Worker('/work.js')</script>`,
		"/framed":  `<!doctype html><script>` + strings.ReplaceAll(talk, "NAME", "frame") + `</script>`,
		"/work.js": strings.ReplaceAll(talk, "NAME", "worker"), "/live": h.ServeHTTP})
	var mu sync.Mutex
	var asked []string
	p := guarded(t, Options{Guard: func(r Request) string {
		if r.ResourceType != SocketMessage {
			return ""
		}
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+strings.Replace(r.URL, s.URL[len("http"):], "", 1)+" "+string(r.Body))
		if strings.Contains(string(r.Body), "secret") {
			return "it is a secret"
		}
		return ""
	}})
	open(t, p, s.URL+"/")
	await.Until(t, "all sockets are closed", func() bool {
		n := 0
		for _, said := range h.all() {
			if said == "closed" {
				n++
			}
		}
		return n == 3
	})
	said := h.all()
	for _, who := range []string{"page", "frame", "worker"} {
		first, last := slices.Index(said, "one of "+who), slices.Index(said, "last of "+who)
		if first < 0 || last < first {
			t.Errorf("%s: %q", who, said)
		}
	}
	if n := strings.Count(strings.Join(said, "\n"), "binary [\\"); n != 3 || strings.Contains(strings.Join(said, ""), "secret") {
		t.Errorf("%d binary ones as they were when they were sent; in all %q", n, said)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Contains(asked, "POST ws/live secret of page") || len(asked) != 12 {
		t.Errorf("asked about %q", asked)
	}
	blocked := 0
	for _, b := range p.Blocked() {
		if b.ResourceType == SocketMessage && b.Why == "it is a secret" {
			blocked++
		}
	}
	hold(t, "blocked messages", blocked, 3)
}

// What a page asks for through a socket is waited for, as what it fetches is; a socket on which nothing comes is not waited for long.
func TestAnAnswerThroughASocketIsAwaited(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			if _, _, err := c.ReadMessage(); err != nil {
				return
			}
			time.Sleep(300 * time.Millisecond) // pace: a site that thinks
			_ = c.WriteMessage(websocket.TextMessage, []byte("Answered"))
		}
	}
	s := serve(t, map[string]any{"/": `<!doctype html><title>-</title><h1>Asking</h1><button onclick="ws.send('again')">Ask</button><script>
const ws = new WebSocket('ws://' + location.host + '/live'), h = document.querySelector('h1'); ws.onopen = () => ws.send('first');
let n = 0; ws.onmessage = (e) => { h.textContent = e.data + ' ' + ++n; }</script>`, "/live": slow})
	p := guarded(t, Options{})
	open(t, p, s.URL+"/")
	shows := func(want string) {
		t.Helper()
		st, err := p.State(ctxOf(t))
		if err != nil || !slices.Equal(st.Headings, []string{want}) {
			t.Errorf("%q %v, not %q", st.Headings, err, want)
		}
	}
	shows("Answered 1")
	do(t, p, click("button", "Ask"))
	shows("Answered 2")
}
