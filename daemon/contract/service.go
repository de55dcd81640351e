package contract

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"showhow/internal/fault"
)

// quantum is what the time of an answer without information is a multiple of.
const quantum = 25 * time.Millisecond

// Service answers requests under the contract.
type Service struct {
	o     Options
	count counters
}

// New makes a service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	return &Service{o: o}
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// Tools of the contract, by the product's name.
const (
	toolMain      = "showhow"
	toolRead      = "showhow_read"
	toolWrite     = "showhow_write"
	toolChannel   = "showhow_channel"
	toolHealth    = "health"
	toolStatus    = "server_status"
	toolSpec      = "get_protocol_spec"
	toolTelemetry = "tool_telemetry"
)

// open are the tools that every caller with a grant has.
var open = []string{toolHealth, toolStatus, toolSpec, toolTelemetry}

// granted lists a tier's tools (section 2).
func granted(tier string) []string {
	switch tier {
	case grantReadOnly, grantViewer:
		return append([]string{toolMain, toolRead}, open...)
	case grantWrite:
		return append([]string{toolMain, toolRead, toolWrite}, open...)
	case grantChannel:
		return append([]string{toolMain, toolRead, toolWrite, toolChannel}, open...)
	}
	return nil
}

// Call answers one call of a tool. An error is the caller's right or the request's form; everything else is in the answer.
func (s *Service) Call(ctx context.Context, c Caller, tool string, args json.RawMessage) (json.RawMessage, error) {
	if !slices.Contains(granted(c.grant()), tool) {
		if slices.Contains(granted(grantChannel), tool) {
			hint := "its tools are those that tools/list shows"
			if tool == toolWrite && c.elsewhere() {
				hint = "sign in again and ask for the scope showhow.write"
			}
			return nil, fault.New(fault.Forbidden, "the caller's grant does not cover this tool").WithHint(hint).WithDetail("grant", c.grant())
		}
		return nil, fault.New(fault.NotFound, "there is no such tool").WithHint("tools/list shows those that there are")
	}
	began := time.Now()
	if slices.Contains(open, tool) {
		out, err := s.openCall(ctx, c, tool)
		s.count.note(tool, "", nil, len(args), len(out), time.Since(began))
		return out, err
	}
	q, err := parse(args)
	if err != nil {
		return nil, err
	}
	switch {
	case tool == toolWrite && q.Verb == selects, (tool == toolRead || tool == toolChannel) && q.Verb != selects,
		tool == toolMain && q.Verb != selects: // it is declared as reading
		return nil, fault.Newf(fault.InvalidRequest, "the tool %s does not take the verb %s", tool, q.Verb).
			WithHint(toolRead + " reads, " + toolWrite + " writes")
	case tool == toolChannel:
		if q.Caller == nil {
			q.Caller = &Said{}
		}
		q.Caller.DisclosureMode = "channel"
	}
	e := s.answer(ctx, q, c)
	out := e.bytes()
	if tool == toolRead {
		out = withMeta(e)
	}
	if e.withheld { // existence must not show in the time either
		took := time.Since(began)
		s.o.Wait(ctx, (took/quantum+1)*quantum-took)
	}
	s.count.note(tool, q.FromKind, e, len(args), len(out), time.Since(began))
	return out, nil
}

// withMeta is the answer of the reading tool: the result, and the rest of the envelope beside it.
func withMeta(e *Envelope) json.RawMessage {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(e.bytes(), &all); err != nil {
		panic(err) // it was encoded just now
	}
	result := all["result"]
	delete(all, "result")
	b, err := json.Marshal(map[string]any{"result": result, "_meta": all})
	if err != nil {
		panic(err) // as above
	}
	return b
}

func (s *Service) answer(ctx context.Context, q Request, c Caller) *Envelope {
	k, e := s.gate(q, c)
	if e == nil {
		q.FromKind = k.Name
		var err error
		if e, err = s.handle(ctx, q, c); err != nil {
			e = s.failed(q, err)
		}
	}
	return s.finish(q, c, e)
}

// failed turns a handler's error into an answer. Something that is not there, or not for this caller, is one and the same.
func (s *Service) failed(q Request, err error) *Envelope {
	f := fault.From(err)
	switch f.Code {
	case fault.NotFound, fault.AbilityNotFound, fault.Forbidden, fault.TrustRequired:
		return noInformation(q.Verb)
	}
	return s.refusal(q, string(f.Code)+": "+f.Message, f.Hint)
}

// openCall answers the tools without an envelope.
func (s *Service) openCall(ctx context.Context, c Caller, tool string) (json.RawMessage, error) {
	var v any
	switch tool {
	case toolHealth:
		v = map[string]any{"status": "ok", "version": s.o.Version}
	case toolStatus:
		r, err := s.status(ctx, c, true)
		if err != nil {
			return nil, err
		}
		v = r
	case toolSpec:
		v = spec(s.o.Version)
	case toolTelemetry:
		v = map[string]any{"tool_calls": s.count.list(c.Person)}
	}
	b, err := json.Marshal(v)
	return b, err
}
