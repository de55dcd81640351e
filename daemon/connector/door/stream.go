package door

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/message"
)

// maxMessage is how long one message of an agent may be.
const maxMessage = mcp.DefaultMaxLineLength

// stream is an agent's line-delimited JSON-RPC. The SDK ends the conversation at the first line that is no message; here such
// a line is answered with an error and left out, and the conversation goes on.
type stream struct {
	in      *bufio.Reader
	close   func() error
	batched func() bool // the protocol that was agreed on has batches
	talk    message.Conversation

	ready []byte // the rest of a line that may be read
	line  []byte

	mu  sync.Mutex
	out io.WriteCloser
}

func newStream(in io.ReadCloser, out io.WriteCloser, batched func() bool, params func(string) any) *stream {
	return &stream{in: bufio.NewReaderSize(in, 1<<16), close: in.Close, batched: batched, out: out,
		talk: message.Conversation{Params: params}}
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
	if long {
		return s.refuse(message.TooLong(maxMessage))
	}
	line := bytes.TrimSpace(s.line)
	if len(line) == 0 {
		return nil
	}
	s.talk.Batches = s.batched()
	if refused := s.talk.Check(line); refused != nil {
		return s.refuse(refused)
	}
	s.ready = append(line, '\n')
	return nil
}

// refuse answers a line that is left out.
func (s *stream) refuse(r *message.Refusal) error {
	if r.Silent {
		return nil
	}
	_, err := answers{s}.Write(append(r.Bytes(), '\n'))
	return err
}

// answers takes whole messages: the SDK's, and those of a stream itself.
type answers struct{ s *stream }

func (a answers) Write(p []byte) (int, error) {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	return a.s.out.Write(p)
}

func (a answers) Close() error { return a.s.out.Close() }
