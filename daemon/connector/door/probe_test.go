package door_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Connected services are probed periodically, less often the more they fail; unused ones are left alone, and a machine
// that slept does not probe all at once.
func TestProbes(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("read_note")
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, nil)
	var down atomic.Bool
	var asked atomic.Int32
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if down.Load() {
			http.Error(w, "down", http.StatusInternalServerError)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { h.registry.Close(); ts.Close() })
	s.url = ts.URL
	id := h.connect("Notes", s)
	ahead := func(d time.Duration) { h.ahead.Add(int64(d)) }
	probe := func(slept bool) int32 {
		before := asked.Load()
		h.registry.Probe(t.Context(), slept)
		return asked.Load() - before
	}
	if probe(false) != 0 {
		t.Error("it was asked at once")
	}
	ahead(7 * time.Minute)
	if probe(true) != 0 {
		t.Error("it was asked after a sleep")
	}
	ahead(7 * time.Minute)
	if probe(false) == 0 {
		t.Error("it was never asked")
	}
	down.Store(true)
	ahead(7 * time.Minute)
	for i := range 3 {
		if probe(false) == 0 {
			t.Errorf("failure %d: it was not asked", i)
		}
		probe(false) // sets when it is due, now that it failed
		ahead(time.Minute)
	}
	x, err := h.registry.Health(t.Context(), id)
	if err != nil || x.HealthStatus != "degraded" || x.FailureCountRolling < 3 {
		t.Errorf("%+v %v", x, err)
	}
	down.Store(false)
	ahead(11 * time.Minute)
	probe(false)
	if x, _ := h.registry.Health(t.Context(), id); x.HealthStatus != "healthy" {
		t.Errorf("%+v", x)
	}
	h.registry.Close() // nothing is connected any more
	ahead(time.Hour)
	probe(false)
	ahead(time.Hour)
	if probe(false) != 0 {
		t.Error("a service that nobody uses was asked")
	}
}
