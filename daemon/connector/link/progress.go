package link

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// progressMarks are what a message of progress has in it: JSON may escape the slash.
var progressMarks = [][]byte{[]byte(`"notifications/progress"`), []byte(`"notifications\/progress"`)}

// progressWait bounds the wait for what was read: a mark may also stand in an answer, where nothing is passed on.
const progressWait = 2 * time.Second

// progress counts the messages of progress that a conversation has read, and those that were passed on. The SDK passes on an
// answer as soon as it has read it, and the messages that it read before that one after another, in a goroutine of their own.
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

// settle waits until everything that was read by now has been passed on.
func (p *progress) settle(ctx context.Context) {
	late := time.NewTimer(progressWait)
	defer late.Stop()
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
			p.mu.Lock()
		case <-late.C:
			p.mu.Lock()
			p.passed = max(p.passed, until)
		case <-ctx.Done(): // this caller waits no longer; the others do
			p.mu.Lock()
			return
		}
	}
}

// reader counts what is read of a server, before the SDK has it.
func (p *progress) reader(r io.ReadCloser) io.ReadCloser {
	return &progressReader{ReadCloser: r, to: p}
}

type progressReader struct {
	io.ReadCloser
	to   *progress
	tail []byte // the end of what was read, in which a mark may have begun
}

func (r *progressReader) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	found, longest := 0, 0
	for _, mark := range progressMarks {
		part := len(mark) - 1
		tail := r.tail[max(0, len(r.tail)-part):]
		seam := append(slices.Clip(tail), b[:min(n, part)]...)
		found += bytes.Count(b[:n], mark) + bytes.Count(seam, mark)
		longest = max(longest, part)
	}
	if found > 0 {
		r.to.mu.Lock()
		r.to.read += found
		r.to.mu.Unlock()
	}
	r.tail = append(r.tail, b[max(0, n-longest):n]...)
	r.tail = append(r.tail[:0], r.tail[max(0, len(r.tail)-longest):]...)
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
		res.Body = t.to.reader(res.Body)
	}
	return res, err
}
