package engine

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/presence"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// answers is a Memory of one process.
type answers map[string]access.Remembered

func (a answers) Remembered(_ context.Context, key []byte, _ clock.Time) (access.Remembered, bool, error) {
	r, ok := a[string(key)]
	return r, ok, nil
}

func (a answers) Remember(_ context.Context, r access.Remembered) error {
	a[string(r.Key)] = r
	return nil
}

type greeting struct {
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"60"`
	Name            string `json:"name" maxLength:"5"`
}

type greeted struct {
	Times int `json:"times"`
}

// bare is an engine without operations.
func bare() *Engine {
	return New(Options{Log: slog.New(slog.DiscardHandler), Now: clock.Now, Memory: answers{}, Keepalive: time.Minute,
		Confirm: presence.New(time.Now, clock.NewID), HoldOpen: func() func() { return func() {} }})
}

// greeter is an engine with one operation, which counts how often its handler ran.
func greeter(t *testing.T, a Access) (*Engine, *int) {
	t.Helper()
	n := new(int)
	g := bare()
	handle := func(context.Context, *None, *greeting) (*Reply[greeted], error) {
		*n++
		return Answer(greeted{*n}), nil
	}
	if o := Post("greet", "/api/greet", "test", "Greet", a); a.Presence == "" {
		Register(g, o, handle)
	} else {
		RegisterConfirmed(g, o, func(_ context.Context, _ *None, b *greeting) (presence.Subject, bool, error) {
			return presence.Subject{ID: b.Name}, true, nil
		}, handle)
	}
	return g, n
}

func post(g *Engine, c *caller.Caller, body string) (status int, answer string) {
	r := httptest.NewRequest(http.MethodPost, "/api/greet", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w := &StatusWriter{ResponseWriter: rec}
	g.Mux.ServeHTTP(w, r.WithContext(caller.With(r.Context(), c)))
	if w.Finish != nil {
		w.Finish()
	}
	b, _ := io.ReadAll(rec.Result().Body)
	return rec.Code, string(b)
}

func person() *caller.Caller {
	return &caller.Caller{Principal: access.Principal{Kind: access.User}, OverSocket: true}
}

func TestAHandlerSeesNothingUnchecked(t *testing.T) {
	for name, c := range map[string]struct {
		access Access
		caller *caller.Caller
		body   string
		code   fault.Code
	}{
		"an agent at a person's operation": {UserWrites, &caller.Caller{Principal: access.Principal{Kind: access.Agent}}, `{"name":"Ada"}`,
			fault.Forbidden},
		"an unknown caller":        {UserWrites, caller.Of(context.Background()), `{"name":"Ada"}`, fault.Forbidden},
		"a body that is too long":  {UserWrites, person(), `{"name":"Augusta"}`, fault.InvalidRequest},
		"a body that is not JSON":  {UserWrites, person(), `name`, fault.MalformedJSON},
		"nobody confirmed it":      {UserWrites.Confirmed("greet"), person(), `{"name":"Ada"}`, fault.PresenceRequired},
		"only offered in browsers": {Access{Principals: UserWrites.Principals, Transport: "tcp"}, person(), `{"name":"Ada"}`, fault.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			g, ran := greeter(t, c.access)
			status, answer := post(g, c.caller, c.body)
			if status != c.code.Spec().HTTP || !strings.Contains(answer, string(c.code)) || *ran != 0 {
				t.Errorf("%d %s, the handler ran %d times", status, answer, *ran)
			}
			if strings.Contains(answer, "Augusta") {
				t.Error("the answer repeats what was submitted")
			}
		})
	}
}

func TestARequestWithAnIDIsDoneOnce(t *testing.T) {
	g, ran := greeter(t, UserWrites)
	const body = `{"client_request_id":"r1","name":"Ada"}`
	_, first := post(g, person(), body)
	status, again := post(g, person(), body)
	if status != http.StatusOK || *ran != 1 || strings.TrimSpace(again) != strings.TrimSpace(first) || !strings.Contains(first, `"times":1`) {
		t.Errorf("%d %q after %q, the handler ran %d times", status, again, first, *ran)
	}
	if status, answer := post(g, person(), `{"client_request_id":"r1","name":"Bob"}`); status != fault.IdempotencyMismatch.Spec().HTTP {
		t.Errorf("another request with the same id: %d %s", status, answer)
	}
	post(g, person(), `{"client_request_id":"r2","name":"Ada"}`)
	post(g, person(), `{"name":"Ada"}`)
	if *ran != 3 {
		t.Errorf("the handler ran %d times, not 3", *ran)
	}
}
