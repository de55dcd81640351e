package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// A POST with a client_request_id is done once: a repeat within AnswerLife gets the first one's answer (decisions
// C13).
//
// Only successes are remembered: a failure changed nothing, so its repeat tries again. Repeats that arrive while the
// first is running wait for it. The answer goes out after it is remembered; only a crash in between lets a repeat run
// twice, and then the states of the resources refuse it.
const AnswerLife = 24 * time.Hour

// flights serialises requests with the same key.
type flights struct {
	mu   sync.Mutex
	busy map[string]chan struct{}
}

// enter waits for the running request with this key and begins a new one; the returned function ends it.
func (f *flights) enter(ctx context.Context, key string) (func(), error) {
	for {
		f.mu.Lock()
		other, busy := f.busy[key]
		if !busy {
			mine := make(chan struct{})
			f.busy[key] = mine
			f.mu.Unlock()
			return sync.OnceFunc(func() {
				f.mu.Lock()
				delete(f.busy, key)
				f.mu.Unlock()
				close(mine)
			}), nil
		}
		f.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// once answers from memory (done), or lets the request continue and remembers its answer.
func (g *Engine) once(w http.ResponseWriter, r *http.Request, o Op, id string, body any) (context.Context, bool, error) {
	ctx, principal := r.Context(), caller.Of(r.Context()).Principal
	principal.Why = ""
	key, request := access.RequestKey(principal, id), requestHash(r, body)
	leave, err := g.flights.enter(ctx, string(key))
	if err != nil {
		return nil, false, err
	}
	old, ok, err := g.Memory.Remembered(ctx, key, g.Now())
	if err == nil && ok {
		err = g.replay(w, principal, id, old, request)
	}
	if err != nil || ok {
		leave()
		return nil, true, err
	}
	sw, ok := w.(*StatusWriter)
	if !ok {
		panic("the response writer is not ours")
	}
	sw.hold = &bytes.Buffer{}
	sw.Finish = func() {
		defer leave()
		g.remember(context.WithoutCancel(ctx), sw, o, principal, id, key, request)
		sw.release()
	}
	return ctx, false, nil
}

func (g *Engine) replay(w http.ResponseWriter, p access.Principal, id string, old access.Remembered, request []byte) error {
	if !bytes.Equal(old.Request, request) {
		return fault.New(fault.IdempotencyMismatch, "this client_request_id was used for another request").WithHint(
			"use a new one for every new request")
	}
	if len(old.Sealed) == 0 {
		return fault.New(fault.IdempotencyMismatch, "this request was done, and its answer is shown only once")
	}
	plain, err := access.Open(p, id, old.Sealed)
	if err != nil {
		return err
	}
	var saved savedResponse
	if err := jsonv2.Unmarshal(plain, &saved); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set(wire.HeaderReplayed, "true")
	if saved.ETag != "" {
		h.Set("ETag", saved.ETag)
	}
	w.WriteHeader(saved.Status)
	_, err = w.Write(saved.Body)
	return err
}

type savedResponse struct {
	Status int    `json:"status"`
	ETag   string `json:"etag"`
	Body   []byte `json:"body"`
}

func (g *Engine) remember(ctx context.Context, w *StatusWriter, o Op, p access.Principal, id string, key, request []byte) {
	if w.status < 200 || w.status > 299 {
		return
	}
	now := g.Now()
	row := access.Remembered{Key: key, Request: request, CreatedAt: now, ExpiresAt: now.Plus(AnswerLife)}
	if !o.Secret {
		answer := w.hold.Bytes()
		if o.Keep != nil {
			answer = o.Keep(answer)
		}
		plain, err := jsonv2.Marshal(savedResponse{w.status, w.Header().Get("ETag"), answer})
		if err == nil {
			row.Sealed, err = access.Seal(p, id, plain)
		}
		if err != nil {
			g.Log.Error("an answer could not be sealed", "cause", cause(err))
			return
		}
	}
	if err := g.Memory.Remember(ctx, row); err != nil {
		g.Log.Warn("an answer could not be remembered; a repeat of its request would run again", "operation", o.ID, "cause", cause(err))
	}
}

// requestHash is equal for equal requests, whatever the order of their keys.
func requestHash(r *http.Request, body any) []byte {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.Query().Encode(), r.Header.Get("If-Match")} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	b, _ := jsonv2.Marshal(body, jsonv2.Deterministic(true))
	h.Write(b)
	return h.Sum(nil)
}
