package link

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one conversation, with what must be closed after it.
type session struct {
	*mcp.ClientSession
	end      func()
	ended    chan struct{} // closed when the conversation has ended, whoever ended it
	listed   atomic.Pointer[Listed]
	said     listeners
	hearers  sync.Map // of progress: token -> func(*mcp.ProgressNotificationParams)
	progress *progress
	tokens   atomic.Int64
	calls    traffic
	relisted atomic.Int64 // when its tools were last asked for because it said that they changed, ns since 1970
	written  atomic.Int64 // bytes that a program on this computer has taken
	large    atomic.Bool  // the service sent more than is taken
	stale    atomic.Int64 // how often the server said that its tools changed, since they were last listed
}

// close ends a conversation without waiting for a server that does not answer.
func (s *session) close() {
	done := make(chan struct{})
	go func() { _ = s.Close(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
	}
	s.end()
}

// over reports whether a conversation has ended, going by the error of a request, too.
func (s *session) over(err error) bool {
	select {
	case <-s.ended:
		return true
	default:
		return errors.Is(err, mcp.ErrSessionMissing) || errors.Is(err, mcp.ErrConnectionClosed)
	}
}

// follow drops a conversation as soon as it ends: its program is gone, or said what is no message. The next call opens another.
func (l *Link) follow(s *session) {
	_ = s.Wait() // why it ended, its calls tell
	close(s.ended)
	l.mu.Lock()
	mine := l.session == s
	if mine {
		l.session = nil
	}
	l.mu.Unlock()
	if mine {
		s.close()
	}
}

func (s *session) lists(tool, hash string) bool {
	for _, d := range s.listed.Load().Tools {
		if d.Name == tool {
			return d.Hash == hash
		}
	}
	return false
}

// sending is what was sent of one request to a service. The errors of the SDK do not tell: a service can answer with the codes that the
// SDK itself uses for a conversation that has ended.
type sending struct{ n atomic.Int64 }

type sendingKey struct{}

func watchSending(ctx context.Context) (context.Context, *sending) {
	s := &sending{}
	return context.WithValue(ctx, sendingKey{}, s), s
}

func sendingOf(ctx context.Context) *sending {
	s, _ := ctx.Value(sendingKey{}).(*sending)
	return s
}

func (s *sending) begin(r *http.Request) {
	if s != nil && r.Method == http.MethodPost {
		s.n.Add(1)
	}
}

// refused takes one back: the service does not know the session, and has done nothing.
func (s *sending) refused(r *http.Request) {
	if s != nil && r.Method == http.MethodPost {
		s.n.Add(-1)
	}
}

func (s *sending) any() bool { return s.n.Load() > 0 }

// counting counts what its reader has taken.
type counting struct {
	io.WriteCloser
	n *atomic.Int64
}

func (c counting) Write(p []byte) (int, error) {
	n, err := c.WriteCloser.Write(p)
	c.n.Add(int64(n))
	return n, err
}
