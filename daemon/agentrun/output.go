package agentrun

import (
	"bytes"
	"context"
	"sync"
	"time"

	"showhow/internal/plain"
)

// output is what a run prints, without secrets, in memory.
type output struct {
	redact func(string) string

	mu    sync.Mutex
	text  []byte
	tail  map[string][]byte // lines that have not ended, by stream
	ended bool
	more  chan struct{} // closed when there is more, or the end
}

const (
	maxOutputLine = 16 << 10        // a longer one is cut into pieces
	outputWait    = 5 * time.Second // how long a reader waits
)

func newOutput(redact func(string) string) *output {
	return &output{redact: redact, tail: map[string][]byte{}, more: make(chan struct{})}
}

// stream is a writer for one of the program's streams: whole lines are redacted, so that a secret is never split.
type stream struct {
	o    *output
	name string
}

func (s stream) Write(p []byte) (int, error) {
	s.o.mu.Lock()
	defer s.o.mu.Unlock()
	b := append(s.o.tail[s.name], p...)
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 && len(b) < maxOutputLine {
			break
		}
		if i < 0 {
			i = maxOutputLine - 1
		}
		s.o.add(b[:i+1])
		b = b[i+1:]
	}
	s.o.tail[s.name] = bytes.Clone(b)
	return len(p), nil
}

func (o *output) add(line []byte) {
	o.text = append(o.text, plain.Visible(o.redact(string(line)))...)
	close(o.more)
	o.more = make(chan struct{})
}

func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, b := range o.tail {
		if len(b) > 0 {
			o.add(b)
		}
	}
	o.tail = map[string][]byte{}
	o.ended = true
	close(o.more)
	o.more = make(chan struct{})
}

func (o *output) read(ctx context.Context, after int64) Output {
	ctx, cancel := context.WithTimeout(ctx, outputWait)
	defer cancel()
	for {
		o.mu.Lock()
		after = max(0, min(after, int64(len(o.text))))
		out := Output{Text: string(o.text[after:]), Next: int64(len(o.text)), Ended: o.ended}
		more := o.more
		o.mu.Unlock()
		if out.Text != "" || out.Ended {
			return out
		}
		select {
		case <-more:
		case <-ctx.Done():
			return out
		}
	}
}
