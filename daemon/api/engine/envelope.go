package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/strict"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/logs"
)

// marshal writes a response: empty lists are [] and empty objects {}, never null; map keys are sorted.
func marshal(w io.Writer, v any) error {
	return jsonv2.MarshalWrite(w, v, jsonv1.OmitEmptyWithLegacySemantics(true), jsonv2.Deterministic(true))
}

// WriteFault answers with the envelope. Its status and retryability come from the code; the cause goes to the log
// only.
func (g *Engine) WriteFault(w http.ResponseWriter, r *http.Request, err error) {
	f, id := g.toFault(r.Context(), err), caller.Of(r.Context()).CorrelationID
	spec := f.Code.Spec()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(spec.HTTP)
	if err := marshal(w, wire.Error{Error: wire.ErrorBody{
		Code: f.Code, Message: clipUnits(f.Message, 240), Hint: clipUnits(f.Hint, 400), Details: f.Details,
		Retryable: spec.Retryable, CorrelationID: id,
	}}); err != nil {
		g.Log.Debug("a failure could not be written to the caller", "correlation_id", id)
	}
}

// toFault converts a handler's error, and logs the internal ones.
func (g *Engine) toFault(ctx context.Context, err error) *fault.Error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return fault.Wrap(err, fault.Cancelled, "the caller went away")
	}
	f := fault.From(err)
	if f.Code.Spec().HTTP >= 500 {
		level := slog.LevelError
		if f.Code.Spec().Retryable {
			level = slog.LevelWarn
		}
		g.Log.Log(ctx, level, "request failed", "code", string(f.Code), "correlation_id", caller.Of(ctx).CorrelationID, "cause", cause(f.Err))
	}
	return f
}

// RecoverPanic turns a panic into INTERNAL. The panic's value may hold anything and is not logged; its type and
// location are.
func (g *Engine) RecoverPanic(w *StatusWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	logs.Panic(g.Log, "request "+caller.Of(r.Context()).CorrelationID, p)
	if !w.wrote {
		g.WriteFault(w, r, fault.New(fault.Internal, "something went wrong inside Showhow").WithHint("see `showhow logs`"))
	}
}

// personal matches what a cause may hold of a person: paths, and quoted text.
var personal = lazyre.New(`"[^"]*"|'[^']*'|` + "`[^`]*`" + `|[A-Za-z]:\\\S+|~?/[^\s:]+`)

// cause is an error's text fit for the log.
func cause(err error) string {
	if err == nil {
		return ""
	}
	return personal.ReplaceAllString(err.Error(), "…")
}

// clipUnits shortens a text to limit UTF-16 units, in which the envelope's bounds count.
func clipUnits(text string, limit int) string {
	if strict.UTF16Len(text) <= limit {
		return text
	}
	n := 0
	for i, r := range text {
		if n += strict.UTF16Units(r); n > limit-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// StatusWriter knows whether a response has begun and can hold it back until it is remembered. Streams flush through
// Unwrap.
type StatusWriter struct {
	http.ResponseWriter
	wrote  bool
	status int
	hold   *bytes.Buffer // nil: straight through
	Finish func()        // called when the handler is done
}

func (w *StatusWriter) WriteHeader(code int) {
	if w.wrote {
		return
	}
	w.wrote, w.status = true, code
	if w.hold == nil {
		w.ResponseWriter.WriteHeader(code)
	}
}

func (w *StatusWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.hold != nil {
		return w.hold.Write(b)
	}
	return w.ResponseWriter.Write(b)
}

// release sends what was held back.
func (w *StatusWriter) release() {
	body := w.hold
	w.hold = nil
	if w.wrote {
		w.ResponseWriter.WriteHeader(w.status)
		w.ResponseWriter.Write(body.Bytes())
	}
}

// Unwrap serves http.ResponseController.
func (w *StatusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
