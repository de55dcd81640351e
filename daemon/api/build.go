package api

import (
	"context"
	"encoding/json"
	"net/http"
	"path"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
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
		e.Body.CorrelationID = CallerOf(c.Context()).CorrelationID
		return e
	}
}

// envelope is a fault as huma writes it.
type envelope struct {
	Body   wire.ErrorBody `json:"error"`
	status int
}

func (e *envelope) Error() string  { return string(e.Body.Code) }
func (e *envelope) GetStatus() int { return e.status }

func newEnvelope(f *fault.Error, correlationID string) *envelope {
	spec := f.Code.Spec()
	return &envelope{status: spec.HTTP, Body: wire.ErrorBody{
		Code: f.Code, Message: clip(f.Message, 240), Hint: clip(f.Hint, 400), Details: f.Details,
		Retryable: spec.Retryable, CorrelationID: correlationID,
	}}
}

// build makes the operations. After it, s.operations and the document are complete.
func (s *Server) build() {
	cfg := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Showhow", Version: "1", Description: apiDescription},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", schemaNamer()),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"bearer": {Type: "http", Scheme: "bearer",
						Description: "A browser login (TCP) or an agent's token (either transport). On the Unix socket the kernel's word is enough."},
				},
			},
		},
		Formats:       map[string]huma.Format{"application/json": {Marshal: marshal, Unmarshal: json.Unmarshal}},
		DefaultFormat: "application/json",
	}
	s.api = humago.New(s.mux, cfg)
	s.api.OpenAPI().Components.Schemas.RegisterTypeAlias(reflect.TypeFor[envelope](), reflect.TypeFor[wire.Error]())
	s.errorSchema = s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.Error](), true, "")
	s.sessionRoutes()
	s.observationRoutes()
	s.receiptRoutes()
	s.importRoutes()
	s.dataRoutes()
	s.agentRunRoutes()
	s.practiceRoutes()
	s.proposalRoutes()
	s.abilityRoutes()
	s.categoryRoutes()
	s.credentialRoutes()
	s.historyRoutes()
	s.accessRoutes()
	s.daemonRoutes()
	s.leavingRoutes()
	s.finishDocument()
}

const apiDescription = "The local API of Showhow. It answers on a Unix socket and, after `showhow open`, on a loopback port. " +
	"`x-showhow-access` says who may call an operation and whether a person must confirm it, `x-showhow-errors` which codes it answers. " +
	"Unknown parameters are refused, unknown keys where `additionalProperties` is false; lengths count UTF-16 units; timestamps are RFC " +
	"3339 UTC with milliseconds."

// schemaNamer names schemas; a hint serves types without a name. Of two types with one name the later gets its package's
// name in front.
func schemaNamer() func(t reflect.Type, hint string) string {
	taken := map[string]reflect.Type{}
	return func(t reflect.Type, hint string) string {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if n, ok := contractNames[t]; ok {
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

// meta says who calls, for the services.
func meta(ctx context.Context, m IfMatch, requestID string) state.Meta {
	c := CallerOf(ctx)
	out := state.Meta{Principal: string(c.Kind), Source: c.source, CorrelationID: c.CorrelationID, ClientRequestID: requestID,
		AgentName: c.Name}
	out.IfMatch = m.seen()
	return out
}

// seen is the revision that the caller saw, nil when it did not say.
func (m IfMatch) seen() *int {
	if n, ok := m.revision(); ok {
		return &n
	}
	return nil
}

// get and post make the two usual kinds of operation.
func get(id, path, tag, summary string, a Access, codes ...fault.Code) op {
	return op{id: id, method: http.MethodGet, path: path, tag: tag, summary: summary, access: a, errors: codes}
}

func post(id, path, tag, summary string, a Access, codes ...fault.Code) op {
	return op{id: id, method: http.MethodPost, path: path, tag: tag, summary: summary, access: a, errors: codes}
}

// rev makes an operation take If-Match.
func (o op) rev() op { o.revisioned, o.etag = true, true; return o }

// tagged makes a read answer the ETag.
func (o op) tagged() op { o.etag = true; return o }
