package door_test

import (
	"bufio"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/door"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},` +
	`"clientInfo":{"name":"t","version":"1"}}}`

// spoken is a conversation with the door in lines.
type spoken struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

func stdin(t *testing.T, version string) spoken {
	t.Helper()
	s, _ := newHouse(t, t.TempDir()).stdin(t.Context())
	if id, code := s.say(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`); id != "9" || code != "-32600" {
		t.Fatalf("before the conversation has begun: id %s, code %s", id, code)
	}
	if id, code := s.say(strings.Replace(hello, "VERSION", version, 1)); id != "0" || code != "" {
		t.Fatalf("%s %s", id, code)
	}
	return s
}

// stdin is an agent's program with a pair of streams, and tells when they are served no longer.
func (h *house) stdin(ctx context.Context) (spoken, <-chan struct{}) {
	h.t.Helper()
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := h.door.ServeStream(ctx, door.Guest{Agent: "t", Names: []string{"t"}}, inR, outW); err != nil {
			h.t.Error(err)
		}
	}()
	h.t.Cleanup(func() {
		in.Close()
		go io.Copy(io.Discard, out)
		<-ended
	})
	return newSpoken(h.t, in, out), ended
}

func newSpoken(t *testing.T, in io.WriteCloser, out io.Reader) spoken {
	return spoken{t, in, bufio.NewReader(out)}
}

// say sends a line and returns the answer.
func (s spoken) say(line string) (id, code string) {
	s.t.Helper()
	a := s.tell(line)
	return a.id, a.code
}

func (s spoken) tell(line string) said {
	s.t.Helper()
	go io.WriteString(s.in, line+"\n")
	return s.next()
}

func (s spoken) hear() (id, code string) {
	s.t.Helper()
	a := s.next()
	return a.id, a.code
}

// next returns the next answer that is no notification.
func (s spoken) next() said {
	s.t.Helper()
	for {
		raw, err := s.out.ReadBytes('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		if a := answerOf(s.t, raw); a.id != "" {
			return a
		}
	}
}

// A line that is no message is answered, and the conversation goes on.
func TestABadLineEndsNothing(t *testing.T) {
	for version, batches := range map[string]bool{"2025-06-18": false, "2025-03-26": true} {
		s := stdin(t, version)
		batch := "-32600"
		if batches {
			batch = ""
		}
		for _, c := range []struct{ line, id, code string }{
			{`{"jsonrpc":"2.0","id":1,"method":"ping"`, "null", "-32700"},
			{"\x00\xff{", "null", "-32700"},
			{`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, "null", "-32700"},
			{`17`, "null", "-32600"},
			{`null`, "null", "-32600"},
			{`{}`, "null", "-32600"},
			{`{"jsonrpc":"2.0","id":6}`, "6", "-32600"},
			{`{"jsonrpc":"2.0","id":6,"params":{}}`, "6", "-32600"},
			{`{"jsonrpc":"2.0","id":6,"method":""}`, "6", "-32600"},
			{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, "7", "-32600"},
			{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, "null", "-32600"},
			{`[]`, "null", "-32600"},
			{`[17]`, "null", "-32600"},
			{"\n\r\n" + `{"jsonrpc":"2.0","id":"x","method":"ping"}` + "\r", `"x"`, ""},
		} {
			if id, code := s.say(c.line); id != c.id || code != c.code {
				t.Errorf("%s, %q: id %s, code %s", version, c.line, id, code)
			}
		}
		if _, code := s.say(`[{"jsonrpc":"2.0","id":3,"method":"ping"}]`); code != batch {
			t.Errorf("%s: a batch has code %q", version, code)
		}
	}
}

// A line that does not end is not kept.
func TestALongLineIsRefusedInBoundedMemory(t *testing.T) {
	s := stdin(t, "2025-06-18")
	var before, after runtime.MemStats
	piece := []byte(strings.Repeat("x", 1<<20))
	runtime.ReadMemStats(&before)
	go func() {
		io.WriteString(s.in, `{"jsonrpc":"2.0","id":1,"method":"`)
		for range 256 {
			s.in.Write(piece)
		}
		io.WriteString(s.in, "\n")
	}()
	if id, code := s.hear(); id != "null" || code != "-32600" {
		t.Errorf("id %s, code %s", id, code)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 128<<20 {
		t.Errorf("%d bytes more", after.TotalAlloc-before.TotalAlloc)
	}
	if id, code := s.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`); id != "2" || code != "" {
		t.Errorf("id %s, code %s", id, code)
	}
}

// The end of the daemon ends a conversation although its calls wait for a person and for a service, and although its program does not
// read. The question stays: the answer counts for the identical call afterwards, once.
func TestTheEndOfTheDaemonEndsAConversation(t *testing.T) {
	for name, reads := range map[string]bool{"its program reads": true, "its program does not read": false} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			h := newHouse(t, dir)
			s := h.serve("write_note")
			began, release := make(chan struct{}), make(chan struct{})
			t.Cleanup(func() { close(release) })
			s.AddTool(&mcp.Tool{Name: "read_slowly", InputSchema: map[string]any{"type": "object"}},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					close(began)
					<-release
					return &mcp.CallToolResult{}, nil
				})
			h.connect("Notes", s)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			agent, ended := h.stdin(ctx)
			agent.say(strings.Replace(hello, "VERSION", "2025-06-18", 1))
			const write = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"notes__write_note","arguments":{"n":1}}}`
			io.WriteString(agent.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
			io.WriteString(agent.in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes__read_slowly"}}`+"\n"+write+"\n")
			d := h.waiting()
			<-began
			if reads {
				go io.Copy(io.Discard, agent.out)
			}
			stop()
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				t.Fatal("the conversation goes on")
			}
			h.door.Close()
			for _, r := range h.receipts() {
				if r.Call != nil && r.Call.Result != "cancelled" {
					t.Errorf("%+v", r.Call)
				}
			}
			h.close()

			h = newHouse(t, dir)
			if x := h.decide(d.DispatchID, "approve_once", false); x.Resumed {
				t.Error("the caller is gone")
			}
			agent, _ = h.stdin(t.Context())
			agent.say(strings.Replace(hello, "VERSION", "2025-06-18", 1))
			if a := agent.tell(write); a.code != "" || s.calls.Load() != 1 {
				t.Errorf("%+v, %d calls", a, s.calls.Load())
			}
			go io.WriteString(agent.in, write+"\n")
			h.decide(h.waiting().DispatchID, "deny", false) // it is asked again
			agent.next()
		})
	}
}
