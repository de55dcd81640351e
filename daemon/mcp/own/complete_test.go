package own_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/door"
)

// wiretap keeps what the server answers.
type wiretap struct{ heard *bytes.Buffer }

func (w wiretap) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && r.Method == http.MethodPost {
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		w.heard.Write(b)
		res.Body = io.NopCloser(bytes.NewReader(b))
	}
	return res, err
}

// The newest revision requires every result to say that it is complete.
func TestEveryAnswerSaysThatItIsComplete(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.install("change-an-order")
	ts := httptest.NewServer(h.door.Handler(door.Guest{Agent: "claude", Names: []string{"claude"}, Reporter: "claude"}, ""))
	t.Cleanup(ts.Close)
	var heard bytes.Buffer
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "x"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: ts.URL, HTTPClient: &http.Client{Transport: wiretap{&heard}}}, nil)
	h.ok(err)
	defer cs.Close()
	for what, ask := range map[string]func() error{
		"resources/read": func() error {
			_, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://change-an-order/SKILL.md"})
			return err
		},
		"prompts/get": func() error {
			_, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "change-an-order"})
			return err
		},
		"tools/call": func() error {
			_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "skill_availability", Arguments: map[string]any{}})
			return err
		},
		"completion/complete": func() error {
			_, err := cs.Complete(t.Context(), &mcp.CompleteParams{Argument: mcp.CompleteParamsArgument{Name: "name", Value: "c"},
				Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "skill://{name}/{+path}"}})
			return err
		},
	} {
		heard.Reset()
		h.ok(ask())
		if !strings.Contains(heard.String(), `"resultType":"complete"`) {
			t.Errorf("%s: %s", what, heard.String())
		}
	}
}
