package contract

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// counters count calls. They hold no arguments, no results and no names of who asked.
type counters struct {
	mu   sync.Mutex
	rows map[counted]*Counter
}

type counted struct{ tool, kind, status, class string }

// Counter is one line of the telemetry.
type Counter struct {
	Tool       string  `json:"tool_name"`
	Kind       string  `json:"from_kind,omitempty"`
	Status     string  `json:"status"` // ok, error, empty
	ErrorClass string  `json:"error_class,omitempty"`
	Calls      int     `json:"calls"`
	ArgBytes   int     `json:"args_size_bytes"`
	Bytes      int     `json:"result_size_bytes"`
	LatencyMS  float64 `json:"latency_ms_mean,omitempty"` // for a person alone: others learn no times
	SlowestMS  float64 `json:"latency_ms_max,omitempty"`
	Disclosed  int     `json:"disclosure_applied_populated"`

	total time.Duration
}

// note counts one call. kind is a name of the catalogue, or empty: what a caller made up is in no counter.
func (c *counters) note(tool, kind string, e *Envelope, in, out int, took time.Duration) {
	key := counted{tool: tool, status: "ok"}
	if _, known := kindOf(kind); known {
		key.kind = kind
	}
	disclosed := 0
	if e != nil {
		r, _ := e.Result.(map[string]any)
		if found, there := r["found"].(bool); there && !found {
			key.status = "empty"
		}
		if !e.OK {
			key.status, key.class = "error", e.BlockClass
		}
		if e.withheld {
			key.class = "no_information"
		}
		if _, none := e.DisclosureApplied.([]any); !none {
			disclosed = 1
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = map[counted]*Counter{}
	}
	x := c.rows[key]
	if x == nil {
		x = &Counter{Tool: key.tool, Kind: key.kind, Status: key.status, ErrorClass: key.class}
		c.rows[key] = x
	}
	x.Calls++
	x.ArgBytes, x.Bytes, x.Disclosed, x.total = x.ArgBytes+in, x.Bytes+out, x.Disclosed+disclosed, x.total+took
	ms := float64(took.Microseconds()) / 1000
	x.SlowestMS, x.LatencyMS = max(x.SlowestMS, ms), float64(x.total.Microseconds())/1000/float64(x.Calls)
}

// list is the telemetry; times are for a person.
func (c *counters) list(person bool) []Counter {
	c.mu.Lock()
	defer c.mu.Unlock()
	less := func(a, b counted) int {
		for _, p := range [][2]string{{a.tool, b.tool}, {a.kind, b.kind}, {a.status, b.status}} {
			if p[0] != p[1] {
				if p[0] < p[1] {
					return -1
				}
				return 1
			}
		}
		if a.class < b.class {
			return -1
		}
		return 1
	}
	out := []Counter{}
	for _, k := range slices.SortedFunc(maps.Keys(c.rows), less) {
		x := *c.rows[k]
		if !person {
			x.LatencyMS, x.SlowestMS = 0, 0
		}
		out = append(out, x)
	}
	return out
}
