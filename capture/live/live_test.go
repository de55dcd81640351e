package live_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"showhow/capture"
	"showhow/capture/live"
)

func records(session string, from, to int64) (out []capture.Record) {
	for i := from; i <= to; i++ {
		out = append(out, capture.Record{Seq: i, Event: capture.Event{LearnSessionID: session}})
	}
	return out
}

func TestLiveTellsOfGaps(t *testing.T) {
	stream := live.New(3)
	s := stream.Subscribe("a")
	defer s.Close()
	stream.Publish(records("b", 1, 2))
	stream.Publish(records("a", 3, 7)) // two too many
	ctx := context.Background()
	next := func() live.Item {
		t.Helper()
		it, err := s.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return it
	}
	for want := int64(3); want <= 5; want++ {
		if it := next(); it.Record == nil || it.Record.Seq != want {
			t.Fatalf("got %+v, want %d", it, want)
		}
	}
	stream.Publish(records("a", 8, 8))
	if it := next(); it.Record != nil || it.Lost != 2 {
		t.Fatalf("got %+v, want a gap of 2", it)
	}
	if it := next(); it.Record == nil || it.Record.Seq != 8 {
		t.Fatalf("got %+v, want 8", it)
	}
	stream.Publish(records("a", 9, 12))
	for range 3 {
		next()
	}
	if it := next(); it.Lost != 1 {
		t.Fatalf("a gap at the end: %+v", it)
	}
	stream.Close()
	if _, err := s.Next(ctx); !errors.Is(err, live.ErrClosed) {
		t.Fatalf("after Close: %v", err)
	}
	if _, err := stream.Subscribe("a").Next(ctx); !errors.Is(err, live.ErrClosed) {
		t.Fatalf("subscribed after Close: %v", err)
	}
}

func TestLiveWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		live := live.New(10)
		s := live.Subscribe("")
		got := make(chan int64)
		go func() {
			for {
				it, err := s.Next(t.Context())
				if err != nil {
					close(got)
					return
				}
				got <- it.Record.Seq
			}
		}()
		synctest.Wait()
		live.Publish(records("x", 1, 2))
		if a, b := <-got, <-got; a != 1 || b != 2 {
			t.Errorf("got %d, %d", a, b)
		}
		s.Close()
		if _, more := <-got; more {
			t.Error("went on after Close")
		}
	})
}
