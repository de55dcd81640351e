package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

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
	Keep    func(answer []byte) []byte      // what of an answer is remembered for a repeat; nil: all of it
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
// remembered answer -> presence -> handler -> remember. Only what touches a type is compiled once per operation; the rest
// takes any.
func add[P, B, R any](g *Engine, o Op, subject SubjectOf[P, B], handle func(ctx context.Context, p *P, b *B) (*Reply[R], error)) {
	t := typed{params: reflect.TypeFor[P](), body: reflect.TypeFor[B](), reply: reflect.TypeFor[Reply[R]]()}
	if subject != nil {
		t.subject = func(ctx context.Context, p, b any) (presence.Subject, bool, error) {
			return subject(ctx, p.(*P), b.(*B))
		}
	}
	t.handle = func(ctx context.Context, p, b any) (any, string, error) {
		r, err := handle(ctx, p.(*P), b.(*B))
		if err != nil {
			return nil, "", err
		}
		return r.Body, r.ETag, nil
	}
	g.Add(o, func(d *Document) { d.operation(o, t) })
}

// typed is an operation's types, and its functions without them: p and b point to values of params and body.
type typed struct {
	params, body, reply reflect.Type
	subject             func(ctx context.Context, p, b any) (presence.Subject, bool, error) // nil: needs no presence
	handle              func(ctx context.Context, p, b any) (body any, etag string, err error)
}

func (d *Document) operation(o Op, t typed) {
	g, h := d.engine, d.Describe(&o, t.body)
	answer := func(w http.ResponseWriter, r *http.Request, p any) error {
		ctx := r.Context()
		b, err := bodyOf(ctx, t.body)
		if err != nil {
			return err
		}
		if t.subject != nil {
			request := func() [sha256.Size]byte { return g.Confirm.Digest(o.ID, p, b) }
			if err := g.present(ctx, o, func() (presence.Subject, bool, error) { return t.subject(ctx, p, b) }, request); err != nil {
				return err
			}
		}
		body, etag, err := t.handle(ctx, p, b)
		if err != nil {
			return err
		}
		g.write(w, o, body, etag)
		return nil
	}
	d.Serve(o, h, t.params, answer)
	d.replies(o, h, t.reply)
}

type bodyKey struct{}

// bodyOf is the request's checked body: a pointer to a value of t.
func bodyOf(ctx context.Context, t reflect.Type) (any, error) {
	b := reflect.New(t).Interface()
	if parsed := ctx.Value(bodyKey{}); parsed != nil {
		return b, strict.Convert(parsed, b)
	}
	return b, nil
}

// Describe makes an operation of the document, with the schema of its body. Serve adds it.
func (d *Document) Describe(o *Op, body reflect.Type) *huma.Operation {
	h := &huma.Operation{
		OperationID: o.ID, Method: o.Method, Path: o.Path, Tags: []string{o.Tag}, Summary: o.Summary,
		Extensions: map[string]any{"x-showhow-access": o.Access, "x-showhow-errors": d.engine.Codes(o)},
		Responses:  d.failures(o),
	}
	if body != reflect.TypeFor[None]() {
		schema := d.Schema(body, o.ID+"Request")
		h.RequestBody = &huma.RequestBody{Required: len(d.required(schema)) > 0,
			Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
	return h
}

// replies documents the success of an operation that answers with a body.
func (d *Document) replies(o Op, h *huma.Operation, reply reflect.Type) {
	etag, _ := reply.FieldByName("ETag")
	body, _ := reply.FieldByName("Body")
	h.Responses[strconv.Itoa(o.success())] = &huma.Response{Description: http.StatusText(o.success()),
		Headers: map[string]*huma.Param{"ETag": {Schema: huma.SchemaFromField(d.Schemas(), etag, "")}},
		Content: map[string]*huma.MediaType{"application/json": {Schema: huma.SchemaFromField(d.Schemas(), body, reply.Name()+"Body")}}}
}

func (o *Op) success() int { return cmp.Or(o.Status, http.StatusOK) }

// Serve adds an operation to the document and has answer called with each request that passes its checks; p points to a value
// of params, which is filled in. What answer returns goes out as the envelope.
func (d *Document) Serve(o Op, h *huma.Operation, params reflect.Type, answer func(w http.ResponseWriter, r *http.Request, p any) error) {
	fill := d.parameters(h, params)
	var schema *huma.Schema
	if h.RequestBody != nil {
		schema = h.RequestBody.Content["application/json"].Schema
	}
	d.OpenAPI.AddOperation(h)
	serve := func(w http.ResponseWriter, r *http.Request) error {
		ctx, done, err := d.before(w, r, o, h, schema)
		if err != nil || done {
			return err
		}
		p := reflect.New(params)
		if err := fill(r, p.Elem()); err != nil {
			return err
		}
		return answer(w, r.WithContext(ctx), p.Interface())
	}
	d.handler = func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			d.engine.failed(r.Context(), o, err)
			d.engine.WriteFault(w, r, err)
		}
	}
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

// failed looks at an operation's failure: a code that it does not document is a hole in the contract, found by the tests.
func (g *Engine) failed(ctx context.Context, o Op, err error) {
	if code := fault.CodeOf(err); !slices.Contains(g.Codes(&o), code) && ctx.Err() == nil {
		g.Log.Warn("an operation answered a code it does not document", "operation", o.ID, "code", string(code))
		if g.Undocumented != nil {
			g.Undocumented(o.ID, code)
		}
	}
}

// write answers with a body and, where there is one, its ETag.
func (g *Engine) write(w http.ResponseWriter, o Op, body any, etag string) {
	w.Header().Set("Content-Type", "application/json")
	if etag != "" {
		w.Header().Set("ETag", etag)
	}
	w.WriteHeader(o.success())
	if err := marshal(w, body); err != nil {
		g.Log.Debug("an answer could not be written to the caller", "operation", o.ID)
	}
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
