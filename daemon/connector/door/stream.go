package door

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is how long one message of an agent may be.
const maxMessage = mcp.DefaultMaxLineLength

// lastBatched is the last revision of the protocol with several messages on one line.
const lastBatched = "2025-03-26"

// stream is an agent's line-delimited JSON-RPC. The SDK ends the conversation at the first line that is no message; here such
// a line is answered with an error and left out, and the conversation goes on.
type stream struct {
	in      *bufio.Reader
	close   func() error
	batched func() bool // the protocol that was agreed on has batches

	ready []byte // the rest of a line that may be read
	line  []byte

	mu  sync.Mutex
	out io.WriteCloser
}

func newStream(in io.ReadCloser, out io.WriteCloser, batched func() bool) *stream {
	return &stream{in: bufio.NewReaderSize(in, 1<<16), close: in.Close, batched: batched, out: out}
}

// transport is the SDK's, which gets messages only. They are bounded here.
func (s *stream) transport() mcp.Transport {
	return &mcp.IOTransport{Reader: s, Writer: answers{s}, MaxLineLength: -1}
}

func (s *stream) Close() error { return s.close() }

// Read implements io.Reader: whole messages, a line each.
func (s *stream) Read(p []byte) (int, error) {
	for len(s.ready) == 0 {
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.ready)
	s.ready = s.ready[n:]
	return n, nil
}

// next reads a line, and has it ready if it is a message. Of one that is too long no more is kept than a message may have.
func (s *stream) next() error {
	if s.line = s.line[:0]; cap(s.line) > 1<<20 {
		s.line = nil
	}
	long := false
	for {
		part, err := s.in.ReadSlice('\n')
		if long = long || len(s.line)+len(part) > maxMessage; long {
			s.line = nil
		} else {
			s.line = append(s.line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (len(s.line) == 0 && !long || !errors.Is(err, io.EOF)) {
			return err
		}
		break // the last line may lack its end
	}
	switch line := bytes.TrimSpace(s.line); {
	case long:
		return s.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("Invalid Request: a message has at most %d bytes", maxMessage))
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		return s.refuse(nil, jsonrpc.CodeParseError, "Parse error: the line is no JSON")
	case line[0] == '[':
		return s.batch(line)
	default:
		if _, err := message(line); err != nil {
			return s.refuse(line, jsonrpc.CodeInvalidRequest, "Invalid Request: the line is no JSON-RPC message")
		}
		s.ready = append(line, '\n')
	}
	return nil
}

// message is a message as JSON-RPC 2.0 knows it. The SDK takes one that has an id and nothing else for a response, and drops it.
func message(raw []byte) (jsonrpc.Message, error) {
	m, err := jsonrpc.DecodeMessage(raw)
	switch m := m.(type) {
	case *jsonrpc.Request:
		if m.Method == "" {
			return nil, errNoMessage
		}
	case *jsonrpc.Response:
		if m.Error == nil && len(m.Result) == 0 {
			return nil, errNoMessage
		}
	}
	return m, err
}

var errNoMessage = errors.New("neither a request nor a response")

// batch has several messages on one line ready.
func (s *stream) batch(line []byte) error {
	var all []json.RawMessage
	_ = json.Unmarshal(line, &all) // it is valid, and a list
	good := len(all) > 0
	ids := map[jsonrpc.ID]bool{}
	for _, raw := range all {
		m, err := message(raw)
		r, asks := m.(*jsonrpc.Request)
		good = good && err == nil && !(asks && r.ID.IsValid() && ids[r.ID])
		if asks {
			ids[r.ID] = true
		}
	}
	switch {
	case !s.batched():
		return s.refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: this protocol version has one message a line")
	case !good:
		return s.refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the list has something that is no JSON-RPC message")
	}
	s.ready = append(line, '\n')
	return nil
}

// refuse answers a line that is left out, under the id that it has, if it has one.
func (s *stream) refuse(line []byte, code int64, message string) error {
	var said struct {
		ID json.RawMessage `json:"id"`
	}
	if line != nil {
		_ = json.Unmarshal(line, &said) // it may be no object
	}
	if len(said.ID) == 0 || bytes.IndexByte([]byte(`{[tf`), said.ID[0]) >= 0 {
		said.ID = json.RawMessage("null")
	}
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": said.ID, "error": map[string]any{"code": code, "message": message}})
	if err == nil {
		_, err = answers{s}.Write(append(b, '\n'))
	}
	return err
}

// answers takes whole messages: the SDK's, and those of a stream itself.
type answers struct{ s *stream }

func (a answers) Write(p []byte) (int, error) {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if _, err := a.s.out.Write(coded(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// coded gives an error that has none of the codes of JSON-RPC the one for a request that is not valid now: the SDK answers so
// what comes before the conversation has begun.
func coded(p []byte) []byte {
	if !bytes.Contains(p, []byte(`"code":0`)) {
		return p
	}
	m, err := jsonrpc.DecodeMessage(p)
	r, ok := m.(*jsonrpc.Response)
	if err != nil || !ok {
		return p
	}
	var e *jsonrpc.Error
	if !errors.As(r.Error, &e) || e.Code != 0 {
		return p
	}
	e.Code = jsonrpc.CodeInvalidRequest
	b, err := jsonrpc.EncodeMessage(r)
	if err != nil {
		return p
	}
	return append(b, '\n')
}

func (a answers) Close() error { return a.s.out.Close() }
