package link

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// progressMark is what a message of progress has in it. One that spells its method otherwise is not waited for.
var progressMark = []byte(`"notifications/progress"`)

// progress counts the messages of progress that a conversation has read, and those that were passed on. The SDK passes on an
// answer as soon as it has read it, and the messages that it read before that one after another, beside it.
type progress struct {
	mu           sync.Mutex
	read, passed int
	moved        chan struct{} // closed when one is passed on
}

func (p *progress) pass() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passed = min(p.passed+1, p.read)
	if p.moved != nil {
		close(p.moved)
		p.moved = nil
	}
}

// progressLast bounds the wait for what was read: the mark may also stand in an answer, where nothing is passed on.
const progressLast = 2 * time.Second

// settle waits until everything that was read by now has been passed on.
func (p *progress) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, progressLast)
	defer cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	for until := p.read; p.passed < until; {
		if p.moved == nil {
			p.moved = make(chan struct{})
		}
		moved := p.moved
		p.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
		}
		p.mu.Lock()
		if ctx.Err() != nil {
			p.passed = max(p.passed, until)
		}
	}
}

// counted counts what is read of a server, before the SDK has it.
func (p *progress) counted(r io.ReadCloser) io.ReadCloser {
	return &progressReader{ReadCloser: r, to: p}
}

type progressReader struct {
	io.ReadCloser
	to   *progress
	tail []byte // the end of what was read, in which a mark may have begun
}

func (r *progressReader) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	part := len(progressMark) - 1
	seam := append(r.tail, b[:min(n, part)]...)
	if found := bytes.Count(b[:n], progressMark) + bytes.Count(seam, progressMark); found > 0 {
		r.to.mu.Lock()
		r.to.read += found
		r.to.mu.Unlock()
	}
	if n >= part {
		seam = b[n-part : n]
	}
	r.tail = append(r.tail[:0], seam[max(0, len(seam)-part):]...)
	return n, err
}

// progressTripper counts in the bodies of answers.
type progressTripper struct {
	next http.RoundTripper
	to   *progress
}

func (t *progressTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.next.RoundTrip(r)
	if err == nil {
		res.Body = t.to.counted(res.Body)
	}
	return res, err
}
