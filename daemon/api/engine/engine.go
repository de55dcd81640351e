package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"path"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// huma's own words are replaced once for the whole program: whatever it could still refuse by itself gets our envelope, and
// never the submitted value that its messages carry.
func init() {
	huma.DefaultArrayNullable = false // marshal writes [] for an empty list
	huma.NewError = func(status int, _ string, errs ...error) huma.StatusError {
		for _, err := range errs {
			if e, ok := err.(*envelope); ok {
				return e
			}
		}
		code := fault.Internal
		if status >= 400 && status < 500 {
			code = fault.InvalidRequest
		}
		return newEnvelope(fault.New(code, "the request could not be handled"), "")
	}
	huma.NewErrorWithContext = func(c huma.Context, status int, msg string, errs ...error) huma.StatusError {
		e := huma.NewError(status, msg, errs...).(*envelope)
		e.Body.CorrelationID = caller.Of(c.Context()).CorrelationID
		return e
	}
}

// envelope is a fault as huma writes it.
type envelope struct {
	Body   wire.ErrorBody `json:"error"`
	status int
}

func (e *envelope) Error() string { return string(e.Body.Code) }

func (e *envelope) GetStatus() int { return e.status }

func newEnvelope(f *fault.Error, correlationID string) *envelope {
	spec := f.Code.Spec()
	return &envelope{status: spec.HTTP, Body: wire.ErrorBody{
		Code: f.Code, Message: clip(f.Message, 240), Hint: clip(f.Hint, 400), Details: f.Details,
		Retryable: spec.Retryable, CorrelationID: correlationID,
	}}
}

// Engine holds the operations and is the way of every request to its handler: permission, schema, remembered answer, a person's word.
type Engine struct {
	Options
	Mux          *http.ServeMux
	API          huma.API
	errorSchema  *huma.Schema
	Operations   []Op
	flights      flights
	Streams      atomic.Int64
	Undocumented func(operation string, code fault.Code) // set by tests
}

// Options is what an engine stands on.
type Options struct {
	Log       *slog.Logger
	Now       func() clock.Time
	Memory    Memory                  // of answers, for repeated requests
	Confirm   *presence.Confirmations // a person's word
	Keepalive time.Duration           // between comments on a silent stream
	HoldOpen  func() func()           // called when a stream over TCP begins; the result when it ends
	Names     map[reflect.Type]string
}

// Memory keeps answers for requests that are repeated; access.Store is one.
type Memory interface {
	// Remembered finds a request that was done and has not expired.
	Remembered(ctx context.Context, key []byte, now clock.Time) (r access.Remembered, ok bool, err error)
	// Remember keeps r and forgets what has expired.
	Remember(ctx context.Context, r access.Remembered) error
}

// New makes an engine without operations.
func New(o Options) *Engine {
	g := &Engine{Options: o, Mux: http.NewServeMux(), flights: flights{busy: map[string]chan struct{}{}}}
	g.API = humago.New(g.Mux, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Showhow", Version: "1", Description: apiDescription},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", schemaNamer(o.Names)),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"bearer": {Type: "http", Scheme: "bearer",
						Description: "A browser login (TCP) or an agent's token (either transport). On the Unix socket the kernel's word is enough."},
				},
			},
		},
		Formats:       map[string]huma.Format{"application/json": {Marshal: marshal, Unmarshal: json.Unmarshal}},
		DefaultFormat: "application/json",
	})
	g.API.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[envelope](), reflect.TypeFor[wire.Error]())
	g.errorSchema = g.API.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.Error](), true, "")
	return g
}

const apiDescription = "The local API of Showhow. It answers on a Unix socket and, after `showhow open`, on a loopback port. " +
	"`x-showhow-access` says who may call an operation and whether a person must confirm it, `x-showhow-errors` which codes it answers. " +
	"Unknown parameters are refused, unknown keys where `additionalProperties` is false; lengths count UTF-16 units; timestamps are RFC " +
	"3339 UTC with milliseconds."

// schemaNamer names schemas; a hint serves types without a name. Of two types with one name the later gets its package's
// name in front.
func schemaNamer(names map[reflect.Type]string) func(t reflect.Type, hint string) string {
	taken := map[string]reflect.Type{}
	return func(t reflect.Type, hint string) string {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if n, ok := names[t]; ok {
			return n
		}
		if t.PkgPath() == "" || strings.Contains(t.Name(), "[") {
			return huma.DefaultSchemaNamer(t, hint)
		}
		name := capital(t.Name())
		if other, ok := taken[name]; ok && other != t {
			name = capital(path.Base(t.PkgPath())) + name
		}
		taken[name] = t
		return name
	}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

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

// Rev makes an operation take If-Match.
func (o Op) Rev() Op { o.Revisioned, o.ETag = true, true; return o }

// Tagged makes a read answer the ETag.
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
