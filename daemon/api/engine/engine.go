package engine

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func init() { huma.DefaultArrayNullable = false } // marshal writes [] for an empty list

// Engine holds the operations and takes every request to its handler: permission, schema, remembered answer, a
// person's confirmation.
type Engine struct {
	Options
	Mux          *http.ServeMux
	Operations   []Op
	describe     []func(*Document) // of each of Operations
	flights      flights
	Streams      atomic.Int64
	Undocumented func(operation string, code fault.Code) // set by tests
}

// Options configures an Engine.
type Options struct {
	Log       *slog.Logger
	Now       func() clock.Time
	Memory    Memory                  // of answers, for repeated requests
	Confirm   *presence.Confirmations // a person's word
	Keepalive time.Duration           // between comments on a silent stream
	HoldOpen  func() func()           // called when a stream over TCP begins; the result when it ends
	Names     map[reflect.Type]string
}

// Memory stores answers for repeated requests; access.Store implements it.
type Memory interface {
	// Remembered finds an answered request that has not expired.
	Remembered(ctx context.Context, key []byte, now clock.Time) (r access.Remembered, ok bool, err error)
	// Remember stores r and deletes what has expired.
	Remember(ctx context.Context, r access.Remembered) error
}

// New makes an engine without operations.
func New(o Options) *Engine {
	return &Engine{Options: o, Mux: http.NewServeMux(), flights: flights{busy: map[string]chan struct{}{}}}
}

// Add adds an operation, which describe adds to a document. Schemas cost time and memory and most operations are
// rarely called: each is described alone, on its first call, and the whole document only on request.
func (g *Engine) Add(o Op, describe func(*Document)) {
	g.Operations, g.describe = append(g.Operations, o), append(g.describe, describe)
	handler := sync.OnceValue(func() http.Handler {
		d := g.newDocument()
		describe(d)
		d.finish()
		return d.handler
	})
	g.Mux.HandleFunc(o.Method+" "+o.Path, func(w http.ResponseWriter, r *http.Request) { handler().ServeHTTP(w, r) })
}

// Meta says who calls, for the services.
func Meta(ctx context.Context, m IfMatch, requestID string) state.Meta {
	c := caller.Of(ctx)
	out := state.Meta{Principal: string(c.Kind), Source: c.Source, CorrelationID: c.CorrelationID, ClientRequestID: requestID,
		AgentName: c.Name}
	out.IfMatch = m.Seen()
	return out
}

// Seen is the revision that the caller saw, nil when it did not say.
func (m IfMatch) Seen() *int {
	if n, ok := m.revision(); ok {
		return &n
	}
	return nil
}

// Get and Post make the two usual kinds of operation.
func Get(id, path, tag, summary string, a Access, codes ...fault.Code) Op {
	return Op{ID: id, Method: http.MethodGet, Path: path, Tag: tag, Summary: summary, Access: a, Errors: codes}
}

func Post(id, path, tag, summary string, a Access, codes ...fault.Code) Op {
	return Op{ID: id, Method: http.MethodPost, Path: path, Tag: tag, Summary: summary, Access: a, Errors: codes}
}

// Rev makes an operation accept If-Match.
func (o Op) Rev() Op { o.Revisioned, o.ETag = true, true; return o }

// Tagged makes a read return the ETag.
func (o Op) Tagged() Op { o.ETag = true; return o }

// revision reads If-Match. ok is false when the caller did not send one.
func (m IfMatch) revision() (rev int, ok bool) {
	for _, c := range m.Revision {
		if c >= '0' && c <= '9' {
			rev, ok = rev*10+int(c-'0'), true
		}
	}
	return rev, ok
}

// IfMatch is embedded (so it must be exported) in the parameters of a revisioned operation (decisions C13).
type IfMatch struct {
	Revision string `header:"If-Match" pattern:"^\"[0-9]{1,9}\"$" doc:"the ETag of the resource as it was seen; another revision answers REVISION_CONFLICT"`
}
