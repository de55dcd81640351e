package contract

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is no request is answered as at the door, and an id comes back as it was sent.
func TestWhatIsNoRequestIsAnswered(t *testing.T) {
	s, _ := served(t)
	srv := httptest.NewServer(s.Handler(bot))
	defer srv.Close()
	for _, x := range []struct {
		body   string
		status int
		id     string
		code   int
	}{
		{`{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`, 400, "null", -32600},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, 400, "null", -32600},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, 400, "null", -32600},
		{`{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}`, 200, "9007199254740991", 0},
		{`{`, 400, "null", -32700},
		{`null`, 400, "null", -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, 400, "1", -32601},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, 400, "1", -32602},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, strings.NewReader(x.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var a struct {
			ID    json.RawMessage
			Error struct {
				Code    int
				Message string
			}
		}
		err = json.NewDecoder(res.Body).Decode(&a)
		res.Body.Close()
		if err != nil || res.StatusCode != x.status || string(a.ID) != x.id || a.Error.Code != x.code ||
			strings.Contains(a.Error.Message, "mcp.") {
			t.Errorf("%s: %d %+v %v", x.body, res.StatusCode, a, err)
		}
	}
}
