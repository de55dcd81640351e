package pdf

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"showhow/internal/fault"
)

// One owner has one place, the others go on, and the number of those who wait is bounded.
func TestNobodyKeepsOthersOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(2)
		first, err := q.enter(t.Context(), "greedy")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 99)
		wait := func(ctx context.Context, owner string) {
			go func() {
				leave, err := q.enter(ctx, owner)
				if err == nil {
					leave()
				}
				ended <- err
			}()
			synctest.Wait()
		}
		for range mostWaitingOf {
			wait(ctx, "greedy")
		}
		if wait(ctx, "greedy"); len(ended) != 1 || !fault.Is(<-ended, fault.TooManyRequests) {
			t.Error("an owner has no bound")
		}
		if wait(ctx, "other"); len(ended) != 1 || <-ended != nil {
			t.Error("one owner keeps another out")
		}
		other, _ := q.enter(t.Context(), "other")
		for i := range mostWaiting - mostWaitingOf {
			wait(ctx, fmt.Sprint("more ", i))
		}
		if wait(ctx, "late"); len(ended) != 1 || !fault.Is(<-ended, fault.TooManyRequests) {
			t.Error("the queue has no bound")
		}
		cancel()
		synctest.Wait()
		for range mostWaiting {
			if err := <-ended; !fault.Is(err, fault.Cancelled) {
				t.Error(err)
			}
		}
		first()
		other()
		if len(q.waiting) != 0 || q.free != 2 || len(q.inside) != 0 {
			t.Errorf("%+v", q)
		}
	})
}
