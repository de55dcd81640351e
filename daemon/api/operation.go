package api

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"showhow/daemon/access"
	"showhow/daemon/api/strict"
	"showhow/internal/fault"
)

// Access says who may call an operation and what it needs besides. It is printed in the OpenAPI document as x-showhow-access
// and enforced from there; there is no other list (decisions D1, D2).
type Access struct {
	Principals []access.Kind `json:"principals"`
	Write      bool          `json:"write"`              // changes something
	Presence   string        `json:"presence,omitempty"` // the action that a person must confirm
	When       string        `json:"presence_when,omitempty"`
	Transport  string        `json:"transport,omitempty"` // "tcp" or "socket" when only one will do
}

var (
	userReads    = Access{Principals: []access.Kind{access.User}}
	userWrites   = Access{Principals: []access.Kind{access.User}, Write: true}
	anybodyReads = Access{Principals: []access.Kind{access.User, access.Agent}}
	anybodyActs  = Access{Principals: []access.Kind{access.User, access.Agent}, Write: true}
)

// confirmed adds that a person must confirm the action.
func (a Access) confirmed(action string) Access { a.Presence = action; return a }

// op is one operation: its place, who may call it, and what it can answer.
type op struct {
	id, method, path string
	tag, summary     string
	access           Access
	errors           []fault.Code
	revisioned       bool  // takes If-Match
	etag             bool  // answers the resource's revision
	secret           bool  // its answer is shown once and not remembered
	body             int64 // limit, 0: strict.MaxBody
	status           int   // 0: 200

	prepare func(r *http.Request, body any) // completes the body before it is checked; may be nil
}

// reply is a success: the body and, for a resource with a revision, its ETag.
type reply[R any] struct {
	ETag string `header:"ETag"`
	Body R
}

// answer is a reply with no revision.
func answer[R any](body R) *reply[R] { return &reply[R]{Body: body} }

// versioned is a reply with the resource's revision as ETag, which If-Match takes back.
func versioned[R any](body R, revision int) *reply[R] {
	return &reply[R]{Body: body, ETag: strconv.Quote(strconv.Itoa(revision))}
}

// none is the P or B of an operation without parameters or body.
type none struct{}

// subjectOf finds what an operation that needs presence acts upon. needed is false when this call needs none (a scope that
// only gets narrower).
type subjectOf[P, B any] func(ctx context.Context, p *P, b *B) (s Subject, needed bool, err error)

// register adds an operation that needs no presence. P holds path, query and header parameters, B the body, R the response.
func register[P, B, R any](s *Server, o op, handle func(ctx context.Context, p *P, b *B) (*reply[R], error)) {
	if o.access.Presence != "" {
		panic("operation " + o.id + " needs a subject for presence")
	}
	add(s, o, nil, handle)
}

// registerConfirmed adds an operation that a person must confirm.
func registerConfirmed[P, B, R any](s *Server, o op, subject subjectOf[P, B],
	handle func(ctx context.Context, p *P, b *B) (*reply[R], error)) {
	if o.access.Presence == "" {
		panic("operation " + o.id + " names no presence")
	}
	add(s, o, subject, handle)
}

// add is the way of every request that reached its operation:
// permission -> parameters and body against the schema -> remembered answer -> presence -> handler -> remember.
func add[P, B, R any](s *Server, o op, subject subjectOf[P, B], handle func(ctx context.Context, p *P, b *B) (*reply[R], error)) {
	h := s.describe(&o, reflect.TypeFor[B]())
	run := func(ctx context.Context, p *P, b *B) (*reply[R], error) {
		if subject != nil {
			request := func() [sha256.Size]byte { return s.confirm.digest(o.id, p, b) }
			if err := s.present(ctx, o, func() (Subject, bool, error) { return subject(ctx, p, b) }, request); err != nil {
				return nil, err
			}
		}
		return handle(ctx, p, b)
	}
	huma.Register(s.api, *h, func(ctx context.Context, p *P) (*reply[R], error) {
		b, err := bodyOf[B](ctx)
		if err != nil {
			return nil, s.failed(ctx, o, err)
		}
		r, err := run(ctx, p, b)
		if err != nil {
			return nil, s.failed(ctx, o, err)
		}
		return r, nil
	})
	s.operations = append(s.operations, o)
}

type bodyKey struct{}

// bodyOf is the request's body, which was checked before.
func bodyOf[B any](ctx context.Context) (*B, error) {
	b := new(B)
	if parsed := ctx.Value(bodyKey{}); parsed != nil {
		return b, strict.Convert(parsed, b)
	}
	return b, nil
}

// describe makes the huma operation: its schemas for the document, and our checks before the handler.
func (s *Server) describe(o *op, body reflect.Type) *huma.Operation {
	h := &huma.Operation{
		OperationID: o.id, Method: o.method, Path: o.path, Tags: []string{o.tag}, Summary: o.summary, DefaultStatus: o.status,
		SkipValidateBody: true, SkipValidateParams: true,
		Extensions: map[string]any{"x-showhow-access": o.access, "x-showhow-errors": s.codes(o)},
		Responses:  s.failures(o),
	}
	var schema *huma.Schema
	if body != reflect.TypeFor[none]() {
		schema = s.api.OpenAPI().Components.Schemas.Schema(body, true, o.id+"Request")
		h.RequestBody = &huma.RequestBody{Required: len(s.required(schema)) > 0,
			Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
	h.Middlewares = huma.Middlewares{func(c huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(c)
		ctx, done, err := s.before(w, r, *o, c.Operation(), schema)
		if err != nil {
			s.failed(r.Context(), *o, err)
			s.writeFault(w, r, err)
			return
		}
		if done {
			return
		}
		next(huma.WithContext(c, ctx))
	}}
	return h
}

func (s *Server) required(schema *huma.Schema) []string {
	for schema.Ref != "" {
		schema = s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	return slices.DeleteFunc(slices.Clone(schema.Required), func(k string) bool { return schema.Properties[k].Default != nil })
}

// bodyTimeout is how long a body may take to arrive.
const bodyTimeout = 10 * time.Second

// before does what comes ahead of the handler. done: the request was answered from memory.
func (s *Server) before(w http.ResponseWriter, r *http.Request, o op, h *huma.Operation, schema *huma.Schema) (context.Context, bool,
	error) {
	ctx := r.Context()
	if err := permit(CallerOf(ctx), o.access); err != nil {
		return nil, false, err
	}
	check := &strict.Checker{Schemas: s.api.OpenAPI().Components.Schemas}
	check.Parameters(r, h)
	var body any = map[string]any{}
	if schema != nil {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		defer http.NewResponseController(w).SetReadDeadline(time.Time{})
		limit := o.body
		if limit == 0 {
			limit = strict.MaxBody
		}
		var err error
		if body, err = strict.Body(w, r, limit); err != nil {
			return nil, false, err
		}
		r.Body = io.NopCloser(strings.NewReader("{}")) // huma insists on reading one where the document requires it
		if o.prepare != nil {
			o.prepare(r, body)
		}
		check.Check(schema, "body", body)
		ctx = context.WithValue(ctx, bodyKey{}, body)
	}
	if err := check.Err(); err != nil {
		return nil, false, err
	}
	if id, _ := member(body, "client_request_id").(string); id != "" && o.method == http.MethodPost && o.access.Write {
		return s.once(w, r.WithContext(ctx), o, id, body)
	}
	return ctx, false, nil
}

func member(v any, key string) any {
	m, _ := v.(map[string]any)
	return m[key]
}

// permit enforces x-showhow-access for the two principals.
func permit(c *Caller, a Access) error {
	if !slices.Contains(a.Principals, c.Kind) {
		return c.forbidden("an agent may not do this")
	}
	switch {
	case a.Transport == "tcp" && c.machine, a.Transport == "socket" && !c.machine:
		return fault.New(fault.Forbidden, "this operation is not offered on this transport")
	}
	return nil
}

// commonCodes are what every operation can answer; the rest is the operation's own.
var commonCodes = []fault.Code{fault.Unauthorized, fault.Forbidden, fault.OriginRefused, fault.Internal, fault.Cancelled,
	fault.StoreFull, fault.StoreReadOnly, fault.StoreCorrupt}

// codes lists every code that an operation documents.
func (s *Server) codes(o *op) []fault.Code {
	out := slices.Concat(commonCodes, o.errors, []fault.Code{fault.InvalidRequest})
	if o.method != http.MethodGet {
		out = append(out, fault.MalformedJSON, fault.TooLarge)
	}
	if o.method == http.MethodPost {
		out = append(out, fault.IdempotencyMismatch)
	}
	if o.access.Presence != "" {
		out = append(out, fault.PresenceRequired, fault.PresenceRejected)
	}
	if o.revisioned {
		out = append(out, fault.RevisionConflict)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// failures documents one response per status with the codes behind it.
func (s *Server) failures(o *op) map[string]*huma.Response {
	byStatus := map[int][]string{}
	for _, c := range s.codes(o) {
		byStatus[c.Spec().HTTP] = append(byStatus[c.Spec().HTTP], string(c))
	}
	out := map[string]*huma.Response{}
	for status, codes := range byStatus {
		out[strconv.Itoa(status)] = &huma.Response{Description: strings.Join(codes, ", "),
			Content: map[string]*huma.MediaType{"application/json": {Schema: s.errorSchema}}}
	}
	return out
}

// failed is err as huma answers it. A code that the operation does not document is a hole in the contract, found by the tests.
func (s *Server) failed(ctx context.Context, o op, err error) error {
	if code := fault.CodeOf(err); !slices.Contains(s.codes(&o), code) && ctx.Err() == nil {
		s.log.Warn("an operation answered a code it does not document", "operation", o.id, "code", string(code))
		if s.undocumented != nil {
			s.undocumented(o.id, code)
		}
	}
	return newEnvelope(s.toFault(ctx, err), CallerOf(ctx).CorrelationID)
}
