package question_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"showhow/daemon/mcp/question"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

type outcome struct {
	text string
	err  error
}

// ask asks and returns the id of the question and its outcome.
func ask(t *testing.T, d *question.Desk, ctx context.Context, beat func(context.Context)) (string, chan outcome) {
	t.Helper()
	done := make(chan outcome, 1)
	go func() {
		text, err := d.Ask(ctx, "scout", "Which one?", beat)
		done <- outcome{text, err}
	}()
	synctest.Wait()
	l, err := d.Open(ctx)
	if err != nil || len(l.Questions) != 1 {
		t.Fatalf("%+v %v", l, err)
	}
	return l.Questions[0].QuestionID, done
}

func quiet(context.Context) {}

// An answer that comes in the moment in which the time ends, or the agent leaves, either counts or is refused.
func TestAnAnswerAtTheLastMoment(t *testing.T) {
	t.Parallel()
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			d := question.New(question.Options{Wait: time.Minute, Beat: time.Hour})
			ctx, leave := context.WithCancel(t.Context())
			id, done := ask(t, d, ctx, quiet)
			refused := make(chan error, 1)
			time.AfterFunc(time.Minute, func() {
				_, err := d.Answer(t.Context(), id, wire.QuestionAnswer{Text: "the red one"})
				refused <- err
			})
			time.AfterFunc(time.Minute, leave)
			got, no := <-done, <-refused
			if (no == nil) != (got.err == nil && got.text == "the red one") {
				t.Errorf("the person is told %v, the agent %+v", no, got)
			}
		})
	}
}

func TestABeatThatBlocksDoesNotHoldTheQuestion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := question.New(question.Options{Wait: time.Minute, Beat: time.Second})
		id, done := ask(t, d, t.Context(), func(ctx context.Context) { <-ctx.Done() })
		if _, err := d.Answer(t.Context(), id, wire.QuestionAnswer{Text: "blue"}); err != nil {
			t.Fatal(err)
		}
		if got := <-done; got.text != "blue" {
			t.Errorf("%+v", got)
		}
		_, done = ask(t, d, t.Context(), func(ctx context.Context) { <-ctx.Done() })
		if got := <-done; !fault.Is(got.err, fault.MCPAskFirstExpired) {
			t.Errorf("%+v", got)
		}
	})
}

// A question whose time is over by the clock neither shows nor counts, though its agent still waits: the computer slept.
func TestWhatHasExpiredDoesNotWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ahead := time.Duration(0)
		d := question.New(question.Options{Wait: time.Minute, Now: func() clock.Time { return clock.At(time.Now().Add(ahead)) }})
		ctx, leave := context.WithCancel(t.Context())
		var all []chan outcome
		for range 3 {
			_, done := ask(t, d, ctx, quiet)
			all = append(all, done)
			ahead += time.Minute
		}
		if l, err := d.Open(t.Context()); err != nil || len(l.Questions) != 0 {
			t.Errorf("%+v %v", l, err)
		}
		_, done := ask(t, d, ctx, quiet)
		leave()
		for _, c := range append(all, done) {
			if got := <-c; !fault.Is(got.err, fault.Cancelled) {
				t.Errorf("%+v", got)
			}
		}
	})
}

// Callers from elsewhere leave the agents of this computer their places.
func TestQuestionsFromElsewhereLeavePlaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := question.New(question.Options{Wait: time.Minute})
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		open := func(agents string, n int) int {
			for i := range n {
				go func() { _, _ = d.Ask(ctx, fmt.Sprintf("%s%d", agents, i/3), "Which one?", quiet) }()
				synctest.Wait()
			}
			l, err := d.Open(t.Context())
			if err != nil {
				t.Error(err)
			}
			return len(l.Questions)
		}
		if afar, all := open("remote/", 12), open("agent-", 12); afar != 8 || all != 20 {
			t.Errorf("%d from elsewhere, %d in all", afar, all)
		}
	})
}
