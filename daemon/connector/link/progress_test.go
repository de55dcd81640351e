package link

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A mark counts once, however what is read is cut.
func TestProgressIsCountedOnce(t *testing.T) {
	text := `{"method":"notifications/progress"}"notifications/progres"notifications/progress""notifications\/progress"`
	for size := 1; size <= len(text); size++ {
		var p progress
		r := p.reader(io.NopCloser(strings.NewReader(text)))
		got, err := io.ReadAll(io.LimitReader(pieces{r, size}, int64(len(text)+1)))
		if err != nil || string(got) != text || p.read != 3 {
			t.Errorf("pieces of %d: %d %v %s", size, p.read, err, got)
		}
	}
}

// A call waits for what was read before its answer, not for what nobody will pass on, and not after its caller has gone.
func TestProgressSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p progress
		p.read = 3
		begun := time.Now()
		go func() {
			for range 3 {
				time.Sleep(100 * time.Millisecond) // clock: each is passed on a while after it was read
				p.pass()
			}
		}()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		p.settle(gone)
		if p.passed != 0 {
			t.Error("a caller that has gone spoke for the others")
		}
		if p.settle(t.Context()); time.Since(begun) != 300*time.Millisecond {
			t.Error(time.Since(begun))
		}
		p.read = 4 // a mark in an answer
		begun = time.Now()
		if p.settle(t.Context()); time.Since(begun) != progressWait {
			t.Error(time.Since(begun))
		}
		if p.settle(t.Context()); time.Since(begun) != progressWait {
			t.Error("the next call waits, too")
		}
	})
}

type pieces struct {
	from io.Reader
	size int
}

func (p pieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), p.size)]) }
