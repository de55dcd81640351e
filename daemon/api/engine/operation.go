package engine

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
	"showhow/daemon/api/caller"
	"showhow/daemon/api/presence"
	"showhow/daemon/api/strict"
	"showhow/internal/fault"
)

// Access says who may call an operation and what else it requires. It is printed in the OpenAPI document as
// x-showhow-access and enforced from there; there is no other list (decisions D1, D2).
type Access struct {
	Principals []access.Kind `json:"principals"`
	Write      bool          `json:"write"`              // changes something
	Presence   string        `json:"presence,omitempty"` // the action that a person must confirm
	When       string        `json:"presence_when,omitempty"`
	Transport  string        `json:"transport,omitempty"` // "tcp" or "socket" when only one will do
}

// The usual access rules.
var (
	UserReads    = Access{Principals: []access.Kind{access.User}}
	UserWrites   = Access{Principals: []access.Kind{access.User}, Write: true}
	AnybodyReads = Access{Principals: []access.Kind{access.User, access.Agent}}
	AnybodyActs  = Access{Principals: []access.Kind{access.User, access.Agent}, Write: true}
)

// Confirmed adds that a person must confirm the action.
func (a Access) Confirmed(action string) Access { a.Presence = action; return a }

// Op is one operation: its path, who may call it, and what it can answer.
type Op struct {
	ID, Method, Path string
	Tag, Summary     string
	Access           Access
	Errors           []fault.Code
	Revisioned       bool  // accepts If-Match
	ETag             bool  // answers the resource's revision
	Secret           bool  // its answer is shown once and not remembered
	Body             int64 // limit, 0: strict.MaxBody
	Status           int   // 0: 200

	Prepare func(r *http.Request, body any) // completes the body before it is checked; may be nil
}

// Reply is a success: the body and, for a resource with a revision, its ETag.
type Reply[R any] struct {
	ETag string `header:"ETag"`
	Body R
}

// Answer is a reply with no revision.
func Answer[R any](body R) *Reply[R] { return &Reply[R]{Body: body} }

// None is the P or B of an operation without parameters or body.
type None struct{}

// SubjectOf finds the subject of an operation that needs presence. needed is false when this call needs none (a scope
// that only gets narrower).
type SubjectOf[P, B any] func(ctx context.Context, p *P, b *B) (s presence.Subject, needed bool, err error)

// Register adds an operation that needs no presence. P holds path, query and header parameters, B the body, R the response.
func Register[P, B, R any](g *Engine, o Op, handle func(ctx context.Context, p *P, b *B) (*Reply[R], error)) {
	if o.Access.Presence != "" {
		panic("operation " + o.ID + " needs a subject for presence")
	}
	add(g, o, nil, handle)
}

// RegisterConfirmed adds an operation that a person must confirm.
func RegisterConfirmed[P, B, R any](g *Engine, o Op, subject SubjectOf[P, B],
	handle func(ctx context.Context, p *P, b *B) (*Reply[R], error)) {
	if o.Access.Presence == "" {
		panic("operation " + o.ID + " names no presence")
	}
	add(g, o, subject, handle)
}

// add sets up the path of every request of an operation: permission -> parameters and body against the schema ->
// remembered answer -> presence -> handler -> remember.
func add[P, B, R any](g *Engine, o Op, subject SubjectOf[P, B], handle func(ctx context.Context, p *P, b *B) (*Reply[R], error)) {
	run := func(ctx context.Context, p *P, b *B) (*Reply[R], error) {
		if subject != nil {
			request := func() [sha256.Size]byte { return g.Confirm.Digest(o.ID, p, b) }
			if err := g.present(ctx, o, func() (presence.Subject, bool, error) { return subject(ctx, p, b) }, request); err != nil {
				return nil, err
			}
		}
		return handle(ctx, p, b)
	}
	answer := func(ctx context.Context, p *P) (*Reply[R], error) {
		b, err := bodyOf[B](ctx)
		if err != nil {
			return nil, g.Failed(ctx, o, err)
		}
		r, err := run(ctx, p, b)
		if err != nil {
			return nil, g.Failed(ctx, o, err)
		}
		return r, nil
	}
	g.Add(o, func(d *Document) { huma.Register(d.API, *d.Describe(&o, reflect.TypeFor[B]()), answer) })
}

type bodyKey struct{}

// bodyOf is the request's checked body.
func bodyOf[B any](ctx context.Context) (*B, error) {
	b := new(B)
	if parsed := ctx.Value(bodyKey{}); parsed != nil {
		return b, strict.Convert(parsed, b)
	}
	return b, nil
}

// Describe makes the huma operation: its schemas for the document, and our checks before the handler.
func (d *Document) Describe(o *Op, body reflect.Type) *huma.Operation {
	h := &huma.Operation{
		OperationID: o.ID, Method: o.Method, Path: o.Path, Tags: []string{o.Tag}, Summary: o.Summary, DefaultStatus: o.Status,
		SkipValidateBody: true, SkipValidateParams: true,
		Extensions: map[string]any{"x-showhow-access": o.Access, "x-showhow-errors": d.engine.Codes(o)},
		Responses:  d.failures(o),
	}
	var schema *huma.Schema
	if body != reflect.TypeFor[None]() {
		schema = d.Schema(body, o.ID+"Request")
		h.RequestBody = &huma.RequestBody{Required: len(d.required(schema)) > 0,
			Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
	h.Middlewares = huma.Middlewares{func(c huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(c)
		ctx, done, err := d.before(w, r, *o, c.Operation(), schema)
		if err != nil {
			d.engine.Failed(r.Context(), *o, err)
			d.engine.WriteFault(w, r, err)
			return
		}
		if done {
			return
		}
		next(huma.WithContext(c, ctx))
	}}
	return h
}

func (d *Document) required(schema *huma.Schema) []string {
	for schema.Ref != "" {
		schema = d.Schemas().SchemaFromRef(schema.Ref)
	}
	return slices.DeleteFunc(slices.Clone(schema.Required), func(k string) bool { return schema.Properties[k].Default != nil })
}

// bodyTimeout is how long a body may take to arrive.
const bodyTimeout = 10 * time.Second

// before runs the checks before the handler. done means that the request was answered from memory.
func (d *Document) before(w http.ResponseWriter, r *http.Request, o Op, h *huma.Operation, schema *huma.Schema) (context.Context,
	bool, error) {
	ctx := r.Context()
	if err := Permit(caller.Of(ctx), o.Access); err != nil {
		return nil, false, err
	}
	check := &strict.Checker{Schemas: d.Schemas()}
	check.Parameters(r, h)
	var body any = map[string]any{}
	if schema != nil {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		defer http.NewResponseController(w).SetReadDeadline(time.Time{})
		limit := o.Body
		if limit == 0 {
			limit = strict.MaxBody
		}
		var err error
		if body, err = strict.Body(w, r, limit); err != nil {
			return nil, false, err
		}
		r.Body = io.NopCloser(strings.NewReader("{}")) // huma insists on reading one where the document requires it
		if o.Prepare != nil {
			o.Prepare(r, body)
		}
		check.Check(schema, "body", body)
		ctx = context.WithValue(ctx, bodyKey{}, body)
	}
	if err := check.Err(); err != nil {
		return nil, false, err
	}
	if id, _ := member(body, "client_request_id").(string); id != "" && o.Method == http.MethodPost && o.Access.Write {
		return d.engine.once(w, r.WithContext(ctx), o, id, body)
	}
	return ctx, false, nil
}

func member(v any, key string) any {
	m, _ := v.(map[string]any)
	return m[key]
}

// Permit enforces x-showhow-access for the two principals.
func Permit(c *caller.Caller, a Access) error {
	if !slices.Contains(a.Principals, c.Kind) {
		return c.Forbidden("an agent may not do this")
	}
	switch {
	case a.Transport == "tcp" && c.OverSocket, a.Transport == "socket" && !c.OverSocket:
		return fault.New(fault.Forbidden, "this operation is not offered on this transport")
	}
	return nil
}

// commonCodes are the codes that every operation can return; the others are the operation's own.
var commonCodes = []fault.Code{fault.Unauthorized, fault.Forbidden, fault.OriginRefused, fault.Internal, fault.Cancelled,
	fault.StoreFull, fault.StoreReadOnly, fault.StoreCorrupt}

// Codes lists every code that an operation documents.
func (g *Engine) Codes(o *Op) []fault.Code {
	out := slices.Concat(commonCodes, o.Errors, []fault.Code{fault.InvalidRequest})
	if o.Method != http.MethodGet {
		out = append(out, fault.MalformedJSON, fault.TooLarge)
	}
	if o.Method == http.MethodPost {
		out = append(out, fault.IdempotencyMismatch)
	}
	if o.Access.Presence != "" {
		out = append(out, fault.PresenceRequired, fault.PresenceRejected)
	}
	if o.Revisioned {
		out = append(out, fault.RevisionConflict)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// failures documents one response per status with the codes behind it.
func (d *Document) failures(o *Op) map[string]*huma.Response {
	byStatus := map[int][]string{}
	for _, c := range d.engine.Codes(o) {
		byStatus[c.Spec().HTTP] = append(byStatus[c.Spec().HTTP], string(c))
	}
	out := map[string]*huma.Response{}
	for status, codes := range byStatus {
		out[strconv.Itoa(status)] = &huma.Response{Description: strings.Join(codes, ", "),
			Content: map[string]*huma.MediaType{"application/json": {Schema: d.errorSchema}}}
	}
	return out
}

// Failed is err in huma's form. A code that the operation does not document is a hole in the contract, found by the
// tests.
func (g *Engine) Failed(ctx context.Context, o Op, err error) error {
	if code := fault.CodeOf(err); !slices.Contains(g.Codes(&o), code) && ctx.Err() == nil {
		g.Log.Warn("an operation answered a code it does not document", "operation", o.ID, "code", string(code))
		if g.Undocumented != nil {
			g.Undocumented(o.ID, code)
		}
	}
	return newEnvelope(g.toFault(ctx, err), caller.Of(ctx).CorrelationID)
}

// present requires a person's confirmation where the operation needs one (decisions D2). request identifies this
// request.
func (g *Engine) present(ctx context.Context, o Op, subject func() (presence.Subject, bool, error),
	request func() [sha256.Size]byte) error {
	c := caller.Of(ctx)
	x, needed, err := subject()
	if err != nil || !needed || c.Demo {
		return err
	}
	x = x.Bound(request())
	if c.Confirmation != "" {
		return g.Confirm.Use(c.Confirmation, o.Access.Presence, x, request)
	}
	if c.Kind == access.User {
		g.Confirm.Challenge(presence.Claim{Action: o.Access.Presence, Subject: x.ID, Hash: x.ContentHash, Revision: x.Revision},
			presence.Challenge{Lines: x.Lines, Digest: request()})
	}
	f := fault.New(fault.PresenceRequired, "a person must confirm this").
		WithHint("run the command in a terminal and type the code that appears there, or confirm in the tray or the Showhow window").
		WithDetail("action", o.Access.Presence).WithDetail("subject_id", x.ID)
	if x.Revision > 0 {
		f = f.WithDetail("revision", x.Revision)
	}
	if x.ContentHash != "" {
		f = f.WithDetail("content_hash", x.ContentHash)
	}
	return f
}

// Answered turns a service's two results into a reply.
func Answered[R any](r R, err error) (*Reply[R], error) {
	if err != nil {
		return nil, err
	}
	return Answer(r), nil
}

// Versioned is Answered with the revision as ETag, which If-Match takes back.
func Versioned[R any](r R, revision int, err error) (*Reply[R], error) {
	if err != nil {
		return nil, err
	}
	return &Reply[R]{Body: r, ETag: strconv.Quote(strconv.Itoa(revision))}, nil
}
