// Package question holds what agents ask the person over MCP: each question waits for an answer, a refusal, or ten
// minutes.
//
// Guarantees: one answer per question; the number of open questions is bounded, for each agent and in all; questions
// and answers are in memory only. Not guaranteed: that a question survives the daemon or the agent's connection, or
// that a person sees it in time.
//
// Package daemon/mcp/own asks here, the API answers here. To test against it: New with a clock.
package question

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Bounds of what agents may ask.
const (
	mostOf  = 3  // one agent's open questions
	most    = 20 // of all agents
	afar    = 8  // of them, of agents on other computers
	maxText = 1000
)

// Options configures a Desk.
type Options struct {
	Wait  time.Duration // for an answer; 0: ten minutes
	Beat  time.Duration // between signs of life to the agent; 0: five seconds
	Now   func() clock.Time
	NewID func() string
}

// Desk holds the open questions.
type Desk struct {
	o Options

	mu   sync.Mutex
	open map[string]*open
}

type open struct {
	wire.AgentQuestion
	answer chan wire.QuestionAnswer // takes one
}

// waits reports whether the question has time left.
func (q *open) waits(now clock.Time) bool { return now.Before(q.ExpiresAt.Time) }

// New makes a desk.
func New(o Options) *Desk {
	if o.Wait == 0 {
		o.Wait = 10 * time.Minute
	}
	if o.Beat == 0 {
		o.Beat = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	return &Desk{o: o, open: map[string]*open{}}
}

// Ask waits for a person's answer. It calls beat at once and then regularly, to keep the agent's client waiting. A beat may
// block: Ask does not wait for it, and its context ends with Ask.
func (d *Desk) Ask(ctx context.Context, agent, text string, beat func(context.Context)) (string, error) {
	q, err := d.enter(agent, text)
	if err != nil {
		return "", err
	}
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		beat(waiting)
		clock.Every(waiting, d.o.Beat, func() { beat(waiting) })
	}()
	late := time.NewTimer(d.o.Wait)
	defer late.Stop()
	select {
	case a := <-q.answer:
		return said(a)
	case <-late.C:
		err = fault.New(fault.MCPAskFirstExpired, "nobody answered in time").WithHint("go on without, or ask again later")
	case <-ctx.Done():
		err = fault.New(fault.Cancelled, "the agent went away while a person was asked")
	}
	d.leave(q.QuestionID)
	select {
	case a := <-q.answer: // it came at the last moment, and the person was told that it counts
		return said(a)
	default:
		return "", err
	}
}

func said(a wire.QuestionAnswer) (string, error) {
	if a.Refuse {
		return "", fault.New(fault.MCPAskFirstRequired, "the person does not want to answer").WithDetail("decision", "denied").
			WithHint("do not repeat the question")
	}
	return a.Text, nil
}

func (d *Desk) enter(agent, text string) (*open, error) {
	if text = plain.Cut(plain.VisibleLine(text), maxText); text == "" {
		return nil, fault.New(fault.InvalidRequest, "there is no question").WithHint("write what you want to know")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.o.Now()
	own, all, others := 0, 0, 0
	elsewhere := func(agent string) bool { return wire.FromElsewhere([]string{agent}) }
	for _, q := range d.open {
		if !q.waits(now) {
			continue
		}
		all++
		if q.Agent == agent {
			own++
		}
		if elsewhere(q.Agent) {
			others++
		}
	}
	if own >= mostOf || all >= most || elsewhere(agent) && others >= afar {
		return nil, fault.New(fault.TooManyRequests, "too many questions wait for the person").WithHint("wait for the answers first")
	}
	q := &open{answer: make(chan wire.QuestionAnswer, 1), AgentQuestion: wire.AgentQuestion{QuestionID: d.o.NewID(), Agent: agent,
		Text: text, AskedAt: now, ExpiresAt: now.Plus(d.o.Wait)}}
	d.open[q.QuestionID] = q
	return q, nil
}

func (d *Desk) leave(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, id)
}

// Open lists the questions that wait, oldest first.
func (d *Desk) Open(context.Context) (wire.AgentQuestions, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := wire.AgentQuestions{Questions: []wire.AgentQuestion{}, SchemaVersion: 1}
	now := d.o.Now()
	for _, q := range d.open {
		if q.waits(now) {
			out.Questions = append(out.Questions, q.AgentQuestion)
		}
	}
	slices.SortFunc(out.Questions, func(a, b wire.AgentQuestion) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt.Time), strings.Compare(a.QuestionID, b.QuestionID))
	})
	return out, nil
}

// Question is an open question.
func (d *Desk) Question(_ context.Context, id string) (wire.AgentQuestion, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.open[id]; q != nil {
		return q.AgentQuestion, nil
	}
	return wire.AgentQuestion{}, gone()
}

// Answer gives a question its answer.
func (d *Desk) Answer(_ context.Context, id string, a wire.QuestionAnswer) (wire.QuestionAnswered, error) {
	if !a.Refuse && strings.TrimSpace(a.Text) == "" {
		return wire.QuestionAnswered{}, fault.New(fault.InvalidRequest, "the answer is empty").WithHint("write it, or refuse the question")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	q := d.open[id]
	if q == nil {
		return wire.QuestionAnswered{}, gone()
	}
	delete(d.open, id)
	q.answer <- a // the only one: it is not open any more
	out := wire.QuestionAnswered{QuestionID: id, Outcome: "answered", SchemaVersion: 1}
	if a.Refuse {
		out.Outcome = "refused"
	}
	return out, nil
}

func gone() error {
	return fault.New(fault.NotFound, "the question does not wait any more").WithHint("`showhow inbox` lists those that do")
}
