package door_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"showhow/daemon/connector/door"
)

// posted is a conversation with the door over HTTP.
type posted struct {
	t       *testing.T
	at      string
	session string
}

func overHTTP(t *testing.T, h *house) *posted {
	t.Helper()
	ts := httptest.NewServer(h.door.Handler(door.Guest{Agent: "t", Names: []string{"t"}}, ""))
	t.Cleanup(ts.Close)
	return &posted{t: t, at: ts.URL}
}

// post sends a message and returns the status and the answer.
func (p *posted) post(body string) (int, said) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.at, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if p.session != "" {
		r.Header.Set("Mcp-Session-Id", p.session)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		p.session = id
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		_, b, _ = bytes.Cut(b, []byte("data: "))
		b, _, _ = bytes.Cut(b, []byte("\n\n"))
	}
	return res.StatusCode, answerOf(p.t, b)
}

// said is an answer.
type said struct{ id, code, message string }

func answerOf(t *testing.T, raw []byte) said {
	t.Helper()
	if len(raw) == 0 {
		return said{}
	}
	var all []json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		all = []json.RawMessage{raw}
	}
	var a struct {
		ID    json.RawMessage
		Error struct {
			Code    json.Number
			Message string
		}
	}
	if err := json.Unmarshal(all[0], &a); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return said{string(a.ID), a.Error.Code.String(), a.Error.Message}
}

// What is no request has the same answer on both entrances, with the id that it came with or none, and names no type of Go.
func TestBothEntrancesRefuseAlike(t *testing.T) {
	for version, batches := range map[string]bool{"2025-06-18": false, "2025-03-26": true} {
		s := stdin(t, version)
		p := overHTTP(t, newHouse(t, t.TempDir()))
		if status, a := p.post(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`); status != 400 || a.id != "9" || a.code != "-32600" ||
			p.session != "" {
			t.Fatalf("before the conversation has begun: %d %+v", status, a)
		}
		if status, a := p.post(strings.Replace(hello, "VERSION", version, 1)); status != 200 || a.code != "" {
			t.Fatal(status, a)
		}
		batch := "-32600"
		if batches {
			batch = ""
		}
		for _, c := range []struct{ message, id, code string }{
			{`{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":1.5}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}`, "-9007199254740991", ""},
			{`{"jsonrpc":"2.0","id":"123456789012345678901234567890","method":"ping"}`, `"123456789012345678901234567890"`, ""},
			{`{"jsonrpc":"2.0","id":1,"ID":2,"method":"ping"}`, "1", ""},
			{`{`, "null", "-32700"},
			{`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, "null", "-32700"},
			{`null`, "null", "-32600"},
			{`{"id":1}`, "1", "-32600"},
			{`{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a"`, "-32600"},
			{`{"jsonrpc":"2.0","id":2,"method":"notifications/initialized"}`, "2", "-32600"},
			{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
				`"clientInfo":{"name":"t","version":"1"}}}`, "3", "-32600"},
			{`{"jsonrpc":"2.0","id":4,"method":"no/such"}`, "4", "-32601"},
			{`{"jsonrpc":"2.0","id":5,"method":"tools/call"}`, "5", "-32602"},
			{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":null}`, "5", "-32602"},
			{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}`, "5", "-32602"},
			{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}}`, "5", "-32602"},
			{`{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"none"}}}`, "5", "-32602"},
			{`{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":7}}`, "5", "-32602"},
			{`[]`, "null", "-32600"},
			{`[{"jsonrpc":"2.0","id":1.5,"method":"ping"}]`, "null", "-32600"},
			{`[{"jsonrpc":"2.0","id":3,"method":"ping"}]`, map[bool]string{false: "null", true: "3"}[batches], batch},
		} {
			one := s.tell(c.message)
			status, other := p.post(c.message)
			if one != other || one.id != c.id || one.code != c.code {
				t.Errorf("%s, %s: %+v on standard input, %+v over HTTP", version, c.message, one, other)
			}
			// The SDK answers a second initialize, after the status.
			if (status == 400) != (c.code != "") && !strings.Contains(c.message, `"initialize"`) {
				t.Errorf("%s: status %d", c.message, status)
			}
			if strings.Contains(one.message, "mcp.") || strings.Contains(one.message, "unmarshal") {
				t.Errorf("%s: %s", c.message, one.message)
			}
		}
	}
}

// Params of another kind are refused in the same way for every method.
func TestNoAnswerNamesATypeOfGo(t *testing.T) {
	s := stdin(t, "2025-06-18")
	for _, method := range []string{"tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
		"resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe", "completion/complete",
		"logging/setLevel", "ping"} {
		for _, params := range []string{`7`, `"x"`, `[1]`, `{"_meta":7}`} {
			a := s.tell(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`)
			if a.code != "-32602" || strings.Contains(a.message, "mcp.") || strings.Contains(a.message, "unmarshal") {
				t.Errorf("%s %s: %+v", method, params, a)
			}
		}
	}
}

// A notification is never answered on standard input, whatever is wrong with it.
func TestNoNotificationIsAnswered(t *testing.T) {
	s := stdin(t, "2025-06-18")
	go io.WriteString(s.in, `{"jsonrpc":"2.0","method":"ping"}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n")
	if id, code := s.hear(); id != "2" || code != "" {
		t.Errorf("id %s, code %s", id, code)
	}
	p := overHTTP(t, newHouse(t, t.TempDir()))
	if status, a := p.post(`{"jsonrpc":"2.0","method":"ping"}`); status != 400 || a.id != "null" || a.code != "-32600" {
		t.Errorf("%d %+v", status, a)
	}
}

// A message that is too long is answered over HTTP, too.
func TestALongBodyIsRefused(t *testing.T) {
	p := overHTTP(t, newHouse(t, t.TempDir()))
	status, a := p.post(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 4<<20) + `"}`)
	if status != http.StatusRequestEntityTooLarge || a.id != "null" || a.code != "-32600" {
		t.Errorf("%d %+v", status, a)
	}
}

// A conversation that is over is told so, whatever comes in it.
func TestASessionThatIsOverIs404(t *testing.T) {
	p := overHTTP(t, newHouse(t, t.TempDir()))
	p.session = "gone"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.at, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Session-Id", p.session)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Error(res.Status)
	}
}

// What follows initialize may be sent at once.
func TestInitializeNeedsNoPause(t *testing.T) {
	h := newHouse(t, t.TempDir())
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- h.door.ServeStream(t.Context(), door.Guest{Agent: "t", Names: []string{"t"}}, inR, outW)
	}()
	s := newSpoken(t, in, out)
	go io.WriteString(in, strings.Replace(hello, "VERSION", "2025-06-18", 1)+"\n"+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n")
	for _, want := range []string{"0", "1"} {
		if id, code := s.hear(); id != want || code != "" {
			t.Errorf("id %s, code %s", id, code)
		}
	}
	in.Close()
	go io.Copy(io.Discard, out)
	<-ended
}
