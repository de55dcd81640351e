package own_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"showhow/daemon/connector/door"
)

// Params of another kind are refused for the extension's methods as for those of MCP, and no other method is there.
func TestTheExtensionsParamsAreChecked(t *testing.T) {
	h := newHouse(t)
	ts := httptest.NewServer(h.door.Handler(door.Guest{Agent: "claude", Names: []string{"claude"}, Reporter: "claude"}, ""))
	defer ts.Close()
	for body, want := range map[string]string{
		`"method":"skills/list","params":{"cursor":7}`:           `"Invalid params: \"cursor\" cannot be of the kind number"`,
		`"method":"skills/get","params":[]`:                      `"Invalid params: params is an object"`,
		`"method":"resources/directory/read","params":{"uri":7}`: `"Invalid params: \"uri\" cannot be of the kind number"`,
		`"method":"skills/none"`:                                 `"Method not found: there is no such method"`,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, ts.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,`+body+`}`))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": "2026-07-28"} {
			r.Header.Set(k, v)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || !bytes.Contains(b, []byte(want)) {
			t.Errorf("%s: %s %s %v", body, res.Status, b, err)
		}
	}
}
