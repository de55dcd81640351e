package link

import (
	"io"
	"strings"
	"testing"
)

// A mark counts once, however what is read is cut.
func TestProgressIsCountedOnce(t *testing.T) {
	text := `{"method":"notifications/progress"}"notifications/progres"notifications/progress""notifications/progress"`
	for size := 1; size <= len(text); size++ {
		var p progress
		r := p.counted(io.NopCloser(strings.NewReader(text)))
		got, err := io.ReadAll(io.LimitReader(pieces{r, size}, int64(len(text)+1)))
		if err != nil || string(got) != text || p.read != 3 {
			t.Errorf("pieces of %d: %d %v %s", size, p.read, err, got)
		}
	}
}

type pieces struct {
	from io.Reader
	size int
}

func (p pieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), p.size)]) }
