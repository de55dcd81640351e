package link

import (
	"errors"
	"io"
	"sync/atomic"
)

// MaxAnswer bounds the answer of one call, in bytes.
const MaxAnswer = 8 << 20

var errTooMuch = errors.New("the answer is larger than Showhow takes")

// tooMuch adds to the error of a request that the service sent more than is taken: the SDK ends the conversation then, and keeps nothing
// of the reason but words.
func (s *session) tooMuch(err error) error {
	if err == nil || !s.large.Load() {
		return err
	}
	return errors.Join(err, errTooMuch)
}

type boundedBody struct {
	io.ReadCloser
	left  int64
	large *atomic.Bool // may be nil
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if b.large != nil {
			b.large.Store(true)
		}
		return 0, errTooMuch
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// measured notices a line, or an event, that is larger than is taken. The SDK refuses it.
type measured struct {
	io.ReadCloser
	large  *atomic.Bool
	events bool // an empty line ends one

	n, line int
}

func (m *measured) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	for _, c := range p[:n] {
		m.n++
		switch {
		case c == '\n' && (m.line == 0 || !m.events):
			m.n, m.line = 0, 0
		case c == '\n':
			m.line = 0
		case c != '\r':
			m.line++
		}
		if m.n >= MaxAnswer {
			m.large.Store(true)
		}
	}
	return n, err
}
