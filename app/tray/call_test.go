//go:build linux

package tray

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/app/apptest"
	"showhow/daemon/client"
)

// service is a service at a local address, with one tool that echoes its arguments.
func service(w *apptest.World, tool string) (address string) {
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: tool, Description: "Does " + tool + ".", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
		})
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	w.T.Cleanup(func() { w.Stop(); ts.Close() })
	return ts.URL
}

// connects registers a connector from a program without a terminal, and waits until that was answered in the tray.
func connects(w *apptest.World, name, address string) <-chan error {
	return asked(w, func(ctx context.Context, c *client.Client) error {
		_, err := c.RegisterConnector(ctx, client.ConnectorCreate{Provider: "custom_remote", DisplayName: name, Transport: "remote_http",
			EndpointURL: address})
		return err
	})
}

// atDoor is an agent connected to the daemon's MCP server.
func atDoor(w *apptest.World) *mcp.ClientSession {
	w.T.Helper()
	in, say := io.Pipe()
	hear, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := w.Client.Door(context.Background(), "", in, out); err != nil {
			w.T.Error(err)
		}
		out.Close()
	}()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(w.T.Context(), &mcp.IOTransport{Reader: hear, Writer: say}, nil)
	must(w.T, err)
	w.T.Cleanup(func() { cs.Close(); in.Close(); w.Stop(); <-done })
	return cs
}

func call(cs *mcp.ClientSession, tool string, args map[string]any) <-chan string {
	done := make(chan string, 1)
	go func() {
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
		switch {
		case err != nil:
			done <- err.Error()
		case res.IsError:
			done <- "refused"
		default:
			done <- res.Content[0].(*mcp.TextContent).Text
		}
	}()
	return done
}

func TestACallThatWaitsIsAllowedByAPersonAlone(t *testing.T) {
	t.Parallel()
	w, address := apptest.Begin(t), bus(t)
	h := panel(t, address)
	show(w, address)
	registered := connects(w, "Notes", service(w, "write_note"))
	const deed = "onnect this, so that agents can reach it through Showhow"
	h.click(h.shows("C" + deed + "?/Yes, c" + deed))
	must(t, <-registered)

	cs := atDoor(w)
	done := call(cs, "notes__write_note", map[string]any{"text": "two\nlines"})
	const ask = "The agent “terminal” wants to call write__note of notes" // a menu shows two as one
	allow := h.shows(ask + "/Allow exactly this, once")
	h.shows(ask + "/It changes something")
	h.shows(ask + `/text: "two\nlines"`)
	until(t, "the sign that something waits", func() bool { return h.get("Status").Value() == "NeedsAttention" })

	// An agent's program on the session bus sends the same click.
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), "CLAUDECODE=1", fmt.Sprintf("%s=%s %s %d", clickEnv, address, h.item(), allow))
	must(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	h.shows("Not done: the click was not a person's")
	if l, err := w.Client.PendingCalls(t.Context()); err != nil || len(l.Dispatches) != 1 || l.Dispatches[0].Status != "pending" {
		t.Fatalf("an agent allowed its own call: %+v, %v", l.Dispatches, err)
	}

	h.click(allow)
	if got := <-done; got != `{"text":"two\nlines"}` {
		t.Errorf("the service was sent %s", got)
	}

	answered := func() { until(t, "the end of the question", func() bool { return h.labels()[ask+"/Refuse"] == 0 }) }
	answered()

	// The same call asks again, and a no is respected.
	done = call(cs, "notes__write_note", map[string]any{"text": "two\nlines"})
	h.click(h.shows(ask + "/Refuse"))
	if got := <-done; got != "refused" {
		t.Errorf("a call that was refused answered %s", got)
	}
	answered()

	// A call that no menu shows completely cannot be allowed in one.
	done = call(cs, "notes__write_note", map[string]any{"text": strings.Repeat("long ", 100)})
	no := h.shows(ask + "/Refuse")
	for l := range h.labels() {
		if strings.HasPrefix(l, ask+"/Allow") {
			t.Error("a call that is not shown whole can be allowed")
		}
	}
	h.click(no)
	<-done
	until(t, "the end of waiting", func() bool { return h.get("Status").Value() == "Active" })
}

// Only what the menu shows to the last character counts as shown.
func TestWhatIsShownWhole(t *testing.T) {
	many := map[string]any{}
	for i := range callLines + 1 {
		many[fmt.Sprintf("k%02d", i)] = i
	}
	for name, tt := range map[string]struct {
		args  map[string]any
		whole bool
	}{
		"nothing":        {nil, true},
		"a text":         {map[string]any{"path": "/a b"}, true},
		"as many":        {map[string]any{"a": 1, "b": []string{"x"}}, true},
		"more":           {many, false},
		"a long one":     {map[string]any{"a": strings.Repeat("x", callLine)}, false},
		"turned around":  {map[string]any{"a": "x\u202ey"}, false},
		"selectors":      {map[string]any{"a": "x\ufe01\U000e0101y"}, false},
		"a joiner":       {map[string]any{"a": "x\u034fy"}, false},
		"fillers":        {map[string]any{"a": "\u3164\u115f\u1160\uffa0"}, false},
		"no dots":        {map[string]any{"a": "x\u2800y"}, false},
		"struck through": {map[string]any{"a": "x\u0336y\u0336"}, false},
		"a hidden key":   {map[string]any{"a\ufe01": 1}, false},
		"other scripts":  {map[string]any{"Grüße": "Việt ngữ, हिन्दी, 日本語 👍"}, true},
		"two blanks":     {map[string]any{"a": "x  y"}, false},
		"a key of lines": {map[string]any{"a\nb": 1}, false},
	} {
		if lines, whole := sent(tt.args); whole != tt.whole || len(lines) > callLines+1 {
			t.Errorf("%s: %v, %d lines", name, whole, len(lines))
		}
	}
	if lines, _ := sent(map[string]any{"a": "x\ufe01y"}); lines[0] != `a: "x\u{fe01}y"` {
		t.Errorf("what is not displayed is not spelled: %q", lines)
	}
	if lines, whole := found([]string{"pay\u034f"}); whole || lines[0] != `pay\u{34f}` {
		t.Errorf("%v %q", whole, lines)
	}
	about := make([]string, callLines)
	for range 2 {
		if lines, whole := found(about); whole != (len(about) == callLines) || len(lines) != len(about) {
			t.Errorf("%v, %d lines of %d", whole, len(lines), len(about))
		}
		about = append(about, "more")
	}
	if lines, whole := found([]string{"short", strings.Repeat("x", callLine+1)}); whole || len(lines) != 2 || lines[0] != "short" {
		t.Errorf("%v %q", whole, lines)
	}
}
