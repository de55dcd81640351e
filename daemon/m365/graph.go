package m365

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Clients reach Graph and what it refers to.
type Clients struct {
	Graph *http.Client // adds the credentials, asks Graph's origin only, and follows no redirect
	Files *http.Client // for a file's content, wherever Graph says it is: without credentials, to no address of this machine
}

// Bounds of what is read and how long Graph is waited for.
const (
	maxAnswer = 8 << 20 // bytes of one page
	maxPages  = 20
	maxWaits  = 2 // times that a throttled request waits
	maxWait   = 10 * time.Second
)

// answered is an answer of Graph that is no success.
type answered struct {
	status     int
	code       string // Graph's own, a short word
	retryAfter *time.Duration
}

func (a *answered) Error() string { return "graph: status " + strconv.Itoa(a.status) }

// repeats reports whether a request may be sent again. What Graph throttled, it has not done. A service that is not there
// for a while may have done it: only what changes nothing, and what Graph itself recognizes, is sent again then.
func (a *answered) repeats(harmless bool) bool {
	return a.retryAfter != nil && *a.retryAfter <= maxWait && (a.status == 429 || a.status == 503 && harmless)
}

// graph is one operation's access to Graph.
type graph struct {
	room    *semaphore.Weighted // bytes of contents in memory, of all operations
	held    int64               // of them, by this one
	maxFile int64               // bytes of a content
	base    string              // without a trailing slash
	c       Clients
	now     func() clock.Time
	wait    func(ctx context.Context, d time.Duration) error
}

// at is an address below the base; each of parts is one segment, escaped.
func at(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(p))
	}
	return b.String()
}

// get asks for path with a query, and reads the answer into v.
func (g *graph) get(ctx context.Context, path string, query url.Values, v any) error {
	if len(query) > 0 {
		path += "?" + strings.ReplaceAll(query.Encode(), "+", "%20") // OData reads a plus as itself
	}
	return g.do(ctx, http.MethodGet, g.base+path, nil, true, v)
}

// query sends a body that asks, and changes nothing.
func (g *graph) query(ctx context.Context, path string, body, v any) error {
	return g.send(ctx, http.MethodPost, path, body, true, v)
}

// write changes something. Once says that Graph recognizes a repeat and does it once.
func (g *graph) write(ctx context.Context, method, path string, body any, once bool) (made, error) {
	var x made
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	err := g.send(ctx, method, path, body, once, &x)
	var a *answered
	var f *fault.Error
	switch {
	case err == nil && x.ID == "":
		err = unsure(errNothing)
	case errors.As(err, &f):
		if f.Details["reason"] == "too_large" || f.Details["reason"] == "unreadable" { // of an answer that says that it was done
			err = unsure(err)
		}
	case errors.As(err, &a):
		if a.status >= 500 {
			err = unsure(err)
		}
	case err != nil && sent.Load():
		err = unsure(err)
	}
	return x, err
}

var errNothing = errors.New("graph: a write was answered with nothing")

const outcomeUnknown = "outcome_unknown"

// unsure is the error of a write of which nobody knows whether it was done.
func unsure(err error) error {
	return fault.Wrap(err, fault.ConnectorUnreachable, "Microsoft Graph does not say whether it was done").
		WithDetail("reason", outcomeUnknown).WithHint("look whether it is there before you call again")
}

func (g *graph) send(ctx context.Context, method, path string, body any, harmless bool, v any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return g.do(ctx, method, g.base+path, b, harmless, v)
}

// do makes a request, and waits and repeats it where that is right.
func (g *graph) do(ctx context.Context, method, address string, body []byte, harmless bool, v any) error {
	for waits := 0; ; waits++ {
		err := g.once(ctx, method, address, body, v)
		var a *answered
		if !errors.As(err, &a) || !a.repeats(harmless) || waits == maxWaits {
			return err
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < *a.retryAfter+time.Second {
			return err
		}
		if g.wait(ctx, *a.retryAfter) != nil {
			return err
		}
	}
}

func (a *answered) throttled() bool { return a.status == 429 || a.status == 503 && a.retryAfter != nil }

func (g *graph) once(ctx context.Context, method, address string, body []byte, v any) error {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return fault.Wrap(err, fault.InvalidRequest, "an id cannot be part of an address")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	} else {
		req.Body, req.GetBody, req.ContentLength = nil, nil, 0
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Prefer", `outlook.timezone="UTC"`)
	res, err := g.c.Graph.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return g.refusal(res)
	}
	if v == nil {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return err
	case len(b) > maxAnswer:
		return unusable("too_large", "Microsoft Graph answered more than Showhow takes")
	case json.Unmarshal(b, v) != nil:
		return unusable("unreadable", "Microsoft Graph answered something else than was asked for")
	}
	return nil
}

// refusal reads why Graph did not do it: the status, and of the body only the word that is its code.
func (g *graph) refusal(res *http.Response) error {
	if res.StatusCode/100 == 3 {
		return unusable("redirect", "Microsoft Graph wants to be asked at another address, which is not followed")
	}
	var said struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	b, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	_ = json.Unmarshal(b, &said)
	a := &answered{status: res.StatusCode}
	if word := said.Error.Code; len(word) <= 80 && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '.'
	}) {
		a.code = word
	}
	a.retryAfter = clock.RetryAfter(res.Header.Get("Retry-After"), g.now().Time)
	return a
}

func unusable(reason, text string) error {
	return fault.New(fault.ConnectorUnreachable, text).WithDetail("reason", reason)
}

// page is one page of a collection.
type page[T any] struct {
	Value []T    `json:"value"`
	Next  string `json:"@odata.nextLink"`
}

// all reads a collection page by page, until most items are kept. A next page is asked for only at Graph's own address.
func all[T any](ctx context.Context, g *graph, path string, query url.Values, most int, keep func(T) bool) ([]T, error) {
	out := []T{}
	var p page[T]
	err := g.get(ctx, path, query, &p)
	for n := 1; err == nil; n++ {
		for _, x := range p.Value {
			if keep != nil && !keep(x) {
				continue
			}
			if out = append(out, x); len(out) == most {
				return out, nil
			}
		}
		next := p.Next
		if next == "" || n == maxPages {
			return out, nil
		}
		if !strings.HasPrefix(next, g.base+"/") {
			return nil, unusable("next_link", "Microsoft Graph names a next page at another address, which is not asked")
		}
		p = page[T]{}
		err = g.do(ctx, http.MethodGet, next, nil, true, &p)
	}
	return nil, err
}

var errAddress = errors.New("graph: the content did not come")

// withoutAddress is why a content did not come, without its address: whoever has that can read the file. Only errors that
// are known to hold none are kept.
func withoutAddress(err error) error {
	var f *fault.Error
	var op *net.OpError
	switch {
	case errors.As(err, &f):
		return fault.New(f.Code, f.Message).WithHint(f.Hint)
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	case errors.As(err, &op):
		return op
	}
	return errAddress
}

var errNoRoom = errors.New("graph: no room for a content in memory")

// take waits for room for n bytes, until the operation is over.
func (g *graph) take(ctx context.Context, n int64) error {
	if g.room.Acquire(ctx, n) != nil {
		return errNoRoom
	}
	g.held += n
	return nil
}

// content is a file's content, of which all operations together hold maxFile. One that is alone is parsed, too, and takes
// all of the room. Graph answers with an address at another host that needs no credentials.
func (g *graph) content(ctx context.Context, path string, alone bool) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := g.c.Graph.Do(req)
	var f *fault.Error
	if err != nil && !errors.As(err, &f) { // the client parses where it is sent
		err = withoutAddress(err)
	}
	for hops := 0; err == nil && res.StatusCode/100 == 3; hops++ {
		to, bad := res.Location()
		res.Body.Close()
		if bad != nil || hops == 3 {
			return nil, unusable("redirect", "Microsoft Graph does not say where the file is")
		}
		if req, err = http.NewRequestWithContext(ctx, http.MethodGet, to.String(), nil); err == nil {
			if res, err = g.c.Files.Do(req); err != nil {
				err = withoutAddress(err)
			}
		} else {
			err = errAddress
		}
	}
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, g.refusal(res)
	}
	size := res.ContentLength
	if size > g.maxFile {
		return nil, errTooLarge()
	}
	room := size
	if room < 0 || alone {
		room = g.maxFile
	}
	if err := g.take(ctx, room); err != nil {
		return nil, err
	}
	var b []byte
	if size >= 0 {
		b = make([]byte, size)
		_, err = io.ReadFull(res.Body, b)
	} else {
		b, err = io.ReadAll(io.LimitReader(res.Body, g.maxFile+1))
	}
	if err != nil {
		return nil, withoutAddress(err)
	}
	if int64(len(b)) > g.maxFile {
		return nil, errTooLarge()
	}
	return b, nil
}

func errTooLarge() error {
	return fault.New(fault.TooLarge, "the file is larger than Showhow keeps").WithHint("open it where it is")
}
