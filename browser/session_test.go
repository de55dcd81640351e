package browser

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Events of several methods come in the order in which they were reported, and end with the session.
func TestEventsOfSeveralMethodsAreOrdered(t *testing.T) {
	s := &Session{conn: &Conn{}}
	events, cancel := s.Events("begun", "ended")
	one, cancelOne := s.Subscribe("ended")
	var want []string
	for i := range 200 {
		for _, m := range []string{"begun", "other", "ended"} {
			s.deliver(m, jsonv2.Value(fmt.Sprint(i)))
			if m != "other" {
				want = append(want, m+fmt.Sprint(i))
			}
		}
	}
	var got []string
	for len(got) < len(want) {
		e := <-events
		got = append(got, e.Method+string(e.Params))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if v := <-one; string(v) != "0" {
		t.Errorf("got %s", v)
	}
	cancelOne()
	s.deliver("ended", jsonv2.Value("x"))
	s.end()
	if e, open := <-events; !open || string(e.Params) != "x" {
		t.Errorf("what came before the end is lost: %v", e)
	}
	if _, open := <-events; open {
		t.Error("it did not end")
	}
	cancel()
	if left := len(s.subs["begun"]) + len(s.subs["ended"]); left != 0 {
		t.Errorf("%d subscriptions are left", left)
	}
}
