package a2a

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2asrv"

	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/journal"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Codes in an error's data (decisions J5): the protocol has its own meanings for the contract's numbers.
const (
	CodeAuth      = "auth_failed"
	CodeHops      = "hop_limit"
	CodeRate      = "rate_limited"
	CodeTooMuch   = "message_too_large"
	CodeMalformed = "malformed_json"
)

// hopHeader counts the agents that a request came through.
const hopHeader = "X-A2A-Hop-Count"

// Refuse answers with a status and, in the error's data, a code.
func Refuse(w http.ResponseWriter, status int, code, what string) {
	switch status {
	case http.StatusUnauthorized:
		code = CodeAuth
	case http.StatusTooManyRequests:
		code = CodeRate
	case http.StatusRequestEntityTooLarge:
		code = CodeTooMuch
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Connection", "close")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32000, "message": what,
		"data": map[string]string{"code": code}}}) // the caller has gone
}

// Handler serves a caller.
func (s *Service) Handler(g Guest, p Place) http.Handler {
	speak := a2asrv.NewJSONRPCHandler(&speaker{s, g, p})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i, v := range r.Header.Values(hopHeader) {
			if n, err := strconv.Atoi(v); i > 0 || err != nil || n < 0 || n >= maxHops {
				Refuse(w, http.StatusLoopDetected, CodeHops, "the request came through too many agents")
				return
			}
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		if err != nil {
			Refuse(w, http.StatusRequestEntityTooLarge, CodeTooMuch, "a message is 256 KB at most")
			return
		}
		var q struct {
			Method string `json:"method"`
			Params struct {
				a2a.MessageSendParams
			} `json:"params"`
		}
		var whole any
		if json.Unmarshal(body, &whole) != nil {
			Refuse(w, http.StatusBadRequest, CodeMalformed, "the message is not one JSON value")
			return
		}
		if json.Unmarshal(body, &q) == nil && strings.HasPrefix(q.Method, "message/") && asksForRun(&q.Params.MessageSendParams) {
			if why := s.refused(g); why != "" {
				Refuse(w, http.StatusTooManyRequests, CodeRate, why)
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.Header().Set("Content-Type", "application/json")
		speak.ServeHTTP(w, r)
	})
}

// speaker is what one caller can ask for; it implements a2asrv.RequestHandler.
type speaker struct {
	s *Service
	g Guest
	p Place
}

var _ a2asrv.RequestHandler = (*speaker)(nil)

// mine is a task of the caller, whose skill is still open to it.
func (x *speaker) mine(ctx context.Context, id a2a.TaskID) (*task, error) {
	t, err := x.s.of(x.g, id)
	if err == nil && x.s.closed(ctx, t) {
		err = a2a.ErrTaskNotFound
	}
	return t, err
}

// OnGetTask implements a2asrv.RequestHandler.
func (x *speaker) OnGetTask(ctx context.Context, q *a2a.TaskQueryParams) (*a2a.Task, error) {
	t, err := x.mine(ctx, q.ID)
	if err != nil {
		return nil, err
	}
	out := t.snapshot()
	if n := q.HistoryLength; n != nil {
		out.History = out.History[len(out.History)-min(max(*n, 0), len(out.History)):]
	}
	return out, nil
}

// OnCancelTask implements a2asrv.RequestHandler.
func (x *speaker) OnCancelTask(ctx context.Context, q *a2a.TaskIDParams) (*a2a.Task, error) {
	t, err := x.s.of(x.g, q.ID)
	if err != nil {
		return nil, err
	}
	if t.over() {
		return nil, a2a.ErrTaskNotCancelable
	}
	t.end()
	if err := t.until(ctx, a2a.TaskState.Terminal); err != nil {
		return nil, err
	}
	return t.snapshot(), nil
}

// OnSendMessage implements a2asrv.RequestHandler.
func (x *speaker) OnSendMessage(ctx context.Context, q *a2a.MessageSendParams) (a2a.SendMessageResult, error) {
	t, err := x.begin(ctx, q)
	if err != nil {
		return nil, err
	}
	if q.Config == nil || q.Config.Blocking == nil || *q.Config.Blocking {
		if err := t.until(ctx, func(st a2a.TaskState) bool { return st.Terminal() || st == a2a.TaskStateInputRequired }); err != nil {
			return nil, err
		}
	}
	return t.snapshot(), nil
}

// OnSendMessageStream implements a2asrv.RequestHandler.
func (x *speaker) OnSendMessageStream(ctx context.Context, q *a2a.MessageSendParams) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		t, err := x.begin(ctx, q)
		if err != nil {
			yield(nil, err)
			return
		}
		x.s.follow(ctx, t, yield)
	}
}

// follow yields what happens to a task. The library calls it apart from the request's own goroutine, so what fails in it
// must not end the daemon.
func (s *Service) follow(ctx context.Context, t *task, yield func(a2a.Event, error) bool) {
	defer func() {
		if v := recover(); v != nil {
			s.o.Log.Error("following a task failed", "panic", fmt.Sprint(v))
		}
	}()
	t.follow(ctx)(yield)
}

// OnResubscribeToTask implements a2asrv.RequestHandler.
func (x *speaker) OnResubscribeToTask(ctx context.Context, q *a2a.TaskIDParams) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		t, err := x.mine(ctx, q.ID)
		if err != nil {
			yield(nil, err)
			return
		}
		x.s.follow(ctx, t, yield)
	}
}

// OnGetTaskPushConfig implements a2asrv.RequestHandler: nothing is ever sent to an address that a caller names.
func (x *speaker) OnGetTaskPushConfig(context.Context, *a2a.GetTaskPushConfigParams) (*a2a.TaskPushConfig, error) {
	return nil, a2a.ErrPushNotificationNotSupported
}

// OnListTaskPushConfig implements a2asrv.RequestHandler.
func (x *speaker) OnListTaskPushConfig(context.Context, *a2a.ListTaskPushConfigParams) ([]*a2a.TaskPushConfig, error) {
	return nil, a2a.ErrPushNotificationNotSupported
}

// OnSetTaskPushConfig implements a2asrv.RequestHandler.
func (x *speaker) OnSetTaskPushConfig(context.Context, *a2a.TaskPushConfig) (*a2a.TaskPushConfig, error) {
	return nil, a2a.ErrPushNotificationNotSupported
}

// OnDeleteTaskPushConfig implements a2asrv.RequestHandler.
func (x *speaker) OnDeleteTaskPushConfig(context.Context, *a2a.DeleteTaskPushConfigParams) error {
	return a2a.ErrPushNotificationNotSupported
}

// OnGetExtendedAgentCard implements a2asrv.RequestHandler.
func (x *speaker) OnGetExtendedAgentCard(ctx context.Context) (*a2a.AgentCard, error) {
	return x.s.extended(ctx, x.p, x.g)
}

// begin begins a task.
func (x *speaker) begin(ctx context.Context, q *a2a.MessageSendParams) (*task, error) {
	if q == nil || q.Message == nil {
		return nil, fmt.Errorf("there is no message: %w", a2a.ErrInvalidParams)
	}
	m := q.Message
	if q.Config != nil && q.Config.PushConfig != nil {
		return nil, a2a.ErrPushNotificationNotSupported
	}
	if m.TaskID != "" {
		t, err := x.s.of(x.g, m.TaskID)
		if err != nil {
			return nil, err
		}
		if t.over() {
			return nil, fmt.Errorf("the task is over: %w", a2a.ErrInvalidParams)
		}
		return nil, fmt.Errorf("a person answers here, not the caller; follow the task: %w", a2a.ErrUnsupportedOperation)
	}
	text, err := said(m)
	if err != nil {
		return nil, err
	}
	t := x.s.newTask(x.g, m, text)
	if !asksForRun(q) {
		return t, x.lookUp(ctx, t, text)
	}
	return t, x.run(ctx, t, skillOf(q), text)
}

// skillOf is the skill that a message names.
func skillOf(q *a2a.MessageSendParams) string {
	if q.Message != nil {
		if id, _ := q.Message.Metadata["skill"].(string); id != "" {
			return id
		}
	}
	id, _ := q.Metadata["skill"].(string)
	return id
}

func asksForRun(q *a2a.MessageSendParams) bool { id := skillOf(q); return id != "" && id != LookUp }

// said is a message's text.
func said(m *a2a.Message) (string, error) {
	var b strings.Builder
	for _, p := range m.Parts {
		part, ok := p.(a2a.TextPart)
		if !ok {
			return "", fmt.Errorf("only text is taken: %w", a2a.ErrUnsupportedContentType)
		}
		b.WriteString(part.Text + "\n")
	}
	text := strings.TrimSpace(b.String())
	if text == "" || len(text) > maxText || len(m.ContextID) > 100 || len(m.ID) > 200 {
		return "", fmt.Errorf("the text is empty, or longer than %d bytes, or an id is too long: %w", maxText, a2a.ErrInvalidParams)
	}
	return text, nil
}

func (x *speaker) lookUp(ctx context.Context, t *task, text string) error {
	found, err := x.s.o.Abilities.Lookup(ctx, ability.LookupQuery{UserQuery: text, Agent: []string{x.g.Agent}, SchemaVersion: 1})
	if err != nil {
		if fault.Is(err, fault.InvalidRequest) {
			return fmt.Errorf("%s: %w", fault.From(err).Message, a2a.ErrInvalidParams)
		}
		return a2a.ErrInternalError
	}
	b, err := json.Marshal(found)
	var data map[string]any
	if err != nil || json.Unmarshal(b, &data) != nil {
		return a2a.ErrInternalError
	}
	t.set(a2a.TaskStateCompleted, "", a2a.DataPart{Data: data})
	return x.s.keep(ctx, t)
}

func (x *speaker) run(ctx context.Context, t *task, id, text string) error {
	if !x.g.Runs {
		return fmt.Errorf("the token does not cover runs; sign in again and ask for the scope showhow.a2a.run: %w", a2a.ErrInvalidParams)
	}
	e, err := x.s.open(ctx, x.g, id)
	if err != nil {
		return fmt.Errorf("there is no such skill for you: %w", a2a.ErrInvalidParams)
	}
	if text = plain.VisibleLine(text); text == "" || len([]rune(text)) > maxGoal {
		return fmt.Errorf("what is to be done is empty, or longer than %d characters: %w", maxGoal, a2a.ErrInvalidParams)
	}
	t.entry = e
	t.request = agentrun.StartRequest{Command: x.s.o.Command(), Skill: e.AbilityID, Goal: text}
	if x.s.o.Live != nil && x.s.o.Live(ctx, x.g.CallerID) != nil { // what ends after this ends the task's turn
		return fmt.Errorf("the caller is not let in any more: %w", a2a.ErrServerError)
	}
	if err := x.s.keep(ctx, t); err != nil {
		return err
	}
	if err := x.s.o.Note(ctx, journal.RemoteTaskAsked, "A caller from elsewhere asks to have a skill run.", x.g.Agent,
		map[string]any{"task_id": string(t.id), "skill": e.SkillSlug}); err != nil {
		t.set(a2a.TaskStateFailed, "It could not be written down.")
		return a2a.ErrInternalError
	}
	t.giveBack()
	t.set(a2a.TaskStateInputRequired, "A person on that computer decides whether it may run. Wait, or cancel.")
	x.s.performing.Go(func() { x.s.perform(t) })
	return nil
}
