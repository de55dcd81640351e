package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Confirm gets a person's confirmation: it shows what is asked and returns the code that the person typed. If the
// confirmation can be answered in the tray too, its ctx ends once that has happened, and Confirm must return.
type Confirm func(ctx context.Context, ask Presence, open Confirmation) (code string, err error)

// Presence is what the daemon wants a person to confirm.
type Presence struct {
	Action, SubjectID, ContentHash string
	Revision                       int
}

// transport sends requests to one daemon: it repeats what is safe to repeat, reads failures, and gets a person's
// confirmation where the daemon requires it. All services of a Client share one.
type transport struct {
	http    *http.Client
	base    string // scheme and host, without a slash at the end
	headers http.Header
	confirm Confirm // nil: a request that needs a person's word fails
	record  *[]byte // nil: nothing is recorded
}

// Call modifies one request.
type Call func(*call)

type call struct {
	method, path string
	body         any
	header       http.Header
}

// IfMatch makes the request valid only for the revision that was seen.
func IfMatch(revision int) Call {
	return func(r *call) { r.header.Set("If-Match", strconv.Quote(strconv.Itoa(revision))) }
}

// Correlation names the request in receipts and logs.
func Correlation(id string) Call { return func(r *call) { r.header.Set(wire.HeaderCorrelation, id) } }

// Confirmed carries a confirmation that the caller obtained itself.
func Confirmed(id, code string) Call {
	return func(r *call) { r.header.Set(wire.HeaderConfirmation, id+":"+code) }
}

// Raw sends any request and returns the body of a success unparsed. body is marshalled; nil sends none.
func (c *transport) Raw(ctx context.Context, method, path string, body any, calls ...Call) ([]byte, error) {
	r := &call{method: method, path: path, body: body, header: http.Header{}}
	for _, f := range calls {
		f(r)
	}
	payload, err := encode(r)
	if err != nil {
		return nil, err
	}
	out, err := c.exchange(ctx, r, payload)
	if ask, ok := presence(err); ok && c.confirm != nil {
		if err := c.askPerson(ctx, r, ask); err != nil {
			return nil, err
		}
		out, err = c.exchange(ctx, r, payload)
	}
	if err == nil && c.record != nil {
		*c.record = out
	}
	return out, err
}

// withoutID are the POSTs that accept no client_request_id, or are better without one.
var withoutID = map[string]bool{"/api/session/exchange": true, "/api/learn/indicators/renew": true, "/api/learn/preview": true,
	receiptsPath: true, acrobatPath + "extract-text": true, acrobatPath + "extract-tables": true, acrobatPath + "ocr": true,
	acrobatPath + "redaction-prep": true}

// verbatim is a body that is sent byte for byte.
type verbatim []byte

// encode marshals the body and gives a POST its client_request_id.
func encode(r *call) ([]byte, error) {
	if as, ok := r.body.(verbatim); ok {
		return as, nil
	}
	if r.body == nil && r.method != http.MethodPost {
		return nil, nil
	}
	b := []byte("{}")
	if r.body != nil {
		var err error
		// Like the daemon: an empty list is [], never null.
		if b, err = jsonv2.Marshal(r.body, jsonv1.OmitEmptyWithLegacySemantics(true)); err != nil {
			return nil, fault.Wrap(err, fault.Usage, "the request cannot be written as JSON")
		}
	}
	if r.method != http.MethodPost || withoutID[r.path] {
		return b, nil
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, fault.Wrap(err, fault.Usage, "the request is no JSON object")
	}
	if _, ok := fields["client_request_id"]; !ok {
		fields["client_request_id"], _ = json.Marshal(clock.NewID())
	}
	return json.Marshal(fields)
}

// exchange sends a request, and repeats it once when the connection broke before the answer: reads are harmless, and a
// mutation with the same id is done once.
func (c *transport) exchange(ctx context.Context, r *call, payload []byte) ([]byte, error) {
	out, err := c.send(ctx, r, payload)
	if errors.Is(err, errBroken) && ctx.Err() == nil && (r.method == http.MethodGet || r.method == http.MethodPost && !withoutID[r.path]) {
		out, err = c.send(ctx, r, payload)
	}
	return out, err
}

// errBroken marks a connection that broke after it was made.
var errBroken = errors.New("the connection broke")

func (c *transport) send(ctx context.Context, r *call, payload []byte) ([]byte, error) {
	res, err := c.open(ctx, r, payload)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	return out, nil
}

// open sends a request and returns a successful response with its body unread.
func (c *transport) open(ctx context.Context, r *call, payload []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, bytes.NewReader(payload))
	if err != nil {
		return nil, fault.Wrap(err, fault.Usage, "the request's path is not valid")
	}
	for _, h := range []http.Header{c.headers, r.header} {
		for k, v := range h {
			req.Header[k] = v
		}
	}
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	if res.StatusCode >= 300 {
		defer res.Body.Close()
		return nil, failure(res)
	}
	return res, nil
}

func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fault.Wrap(ctx.Err(), fault.Cancelled, "cancelled")
	}
	if f := (*fault.Error)(nil); errors.As(err, &f) { // refused before anything was sent
		return f
	}
	var dial *net.OpError
	if !errors.As(err, &dial) || dial.Op != "dial" {
		err = errors.Join(errBroken, err)
	}
	return fault.Wrap(err, fault.DaemonUnreachable, "the Showhow daemon does not answer").WithHint("start it with `showhow daemon start`")
}

// failure reads the envelope.
func failure(res *http.Response) error {
	var e wire.Error
	b, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(b, &e)
	}
	if err != nil || e.Error.Code == "" {
		return fault.Newf(fault.VersionMismatch, "what answers on the socket is not this version of Showhow (status %d)", res.StatusCode).
			WithHint("`showhow daemon restart`")
	}
	f := fault.New(e.Error.Code, e.Error.Message).WithHint(e.Error.Hint)
	f.Details = e.Error.Details
	if e.Error.CorrelationID != "" {
		f = f.WithDetail("correlation_id", e.Error.CorrelationID)
	}
	return f
}

// do sends a request with a typed response.
func do[T any](ctx context.Context, c *transport, method, path string, body any, calls ...Call) (out T, err error) {
	b, err := c.Raw(ctx, method, path, body, calls...)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(b, &out); err != nil {
		return out, fault.Wrap(err, fault.VersionMismatch,
			"the daemon's answer is not one that this version knows").WithHint("`showhow daemon restart`")
	}
	return out, nil
}

func get[T any](ctx context.Context, c *transport, path string, query url.Values) (T, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return do[T](ctx, c, http.MethodGet, path, nil)
}

func post[T any](ctx context.Context, c *transport, path string, body any, calls ...Call) (T, error) {
	return do[T](ctx, c, http.MethodPost, path, body, calls...)
}

// at joins a path; every argument is escaped.
func at(parts ...string) string {
	var b strings.Builder
	for i, p := range parts {
		if i%2 == 1 {
			p = url.PathEscape(p)
		}
		b.WriteString(p)
	}
	return b.String()
}

// page is the query of a list; the daemon fills in zero values.
func page(q PageQuery, more ...string) url.Values {
	v := url.Values{}
	if q.Page > 0 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	if q.PageSize > 0 {
		v.Set("page_size", strconv.Itoa(q.PageSize))
	}
	for i := 0; i+1 < len(more); i += 2 {
		if more[i+1] != "" {
			v.Set(more[i], more[i+1])
		}
	}
	return v
}
