package door_test

import (
	"bufio"
	"io"
	"runtime"
	"strings"
	"testing"

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
	h := newHouse(t, t.TempDir())
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- h.door.ServeStream(t.Context(), door.Guest{Agent: "t", Names: []string{"t"}}, inR, outW)
	}()
	t.Cleanup(func() {
		in.Close()
		go io.Copy(io.Discard, out)
		<-ended
	})
	s := newSpoken(t, in, out)
	if id, code := s.say(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`); id != "9" || code != "-32600" {
		t.Fatalf("before the conversation has begun: id %s, code %s", id, code)
	}
	if id, code := s.say(strings.Replace(hello, "VERSION", version, 1)); id != "0" || code != "" {
		t.Fatalf("%s %s", id, code)
	}
	return s
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
