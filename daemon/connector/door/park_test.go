package door

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// waiting is a call that waits for an answer.
func waiting(agent string, ended *int) *parked {
	return &parked{at: berth{room: room{agent: agent}}, cancel: context.CancelFunc(func() { *ended++ })}
}

// One agent cannot take the places of the others, however many rooms it opens and however early it comes.
func TestTheParkingIsShared(t *testing.T) {
	k, ended := &parking{}, map[string]*int{}
	t.Cleanup(func() { k.clear(func(room) bool { return true }) })
	n := 0
	park := func(agent string) bool {
		if ended[agent] == nil {
			ended[agent] = new(int)
		}
		n++
		x := waiting(agent, ended[agent])
		x.at.room.server = fmt.Sprint(n) // a room of its own
		return k.put(fmt.Sprint(n), x, &asked{})
	}
	held := func(agent string) (n int) {
		for _, b := range k.all {
			if b.at.room.agent == agent {
				n++
			}
		}
		return n
	}
	for range parkMost {
		park("greedy")
	}
	if got := held("greedy"); got != parkEach {
		t.Errorf("one agent holds %d, at most %d", got, parkEach)
	}
	for _, agent := range []string{"two", "three", "four", "five"} {
		for range parkEach {
			park(agent)
		}
	}
	if len(k.all) != parkMost {
		t.Errorf("%d are parked, at most %d", len(k.all), parkMost)
	}
	for _, agent := range []string{"greedy", "two", "three", "four", "five"} {
		if got := held(agent); got < parkMost/5-1 || got > parkEach {
			t.Errorf("%s holds %d of %d", agent, got, parkMost)
		}
	}
	if *ended["greedy"] == 0 || *ended["five"] != 0 {
		t.Errorf("given up: %d of the first, %d of the last", *ended["greedy"], *ended["five"])
	}
	if !park("newcomer") || held("newcomer") != 1 || len(k.all) != parkMost {
		t.Errorf("a newcomer holds %d of %d", held("newcomer"), len(k.all))
	}
}

// The end of the door ends the calls that are parked, and comes when they have ended: their receipts are settled by then.
func TestTheEndOfTheDoorWaitsForParkedCalls(t *testing.T) {
	k := &parking{}
	ctx, cancel := context.WithCancel(t.Context())
	x := &parked{in: k, cancel: cancel}
	var settled atomic.Bool
	if !k.begin(func() { <-ctx.Done(); settled.Store(true) }) || !k.put("state", x, &asked{}) {
		t.Fatal("no call is parked")
	}
	k.close()
	if !settled.Load() || len(k.all) > 0 {
		t.Errorf("settled %v, %d are parked", settled.Load(), len(k.all))
	}
	if k.begin(func() { t.Error("it was made") }) {
		t.Error("another call begins")
	}
}
