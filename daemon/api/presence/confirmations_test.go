package presence

import (
	"strings"
	"testing"
	"time"

	"showhow/daemon/agentrun"
	"showhow/daemon/api/caller"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// noRequest: a typed code is not bound to the request.
func noRequest() (none [32]byte) { return none }

// ask opens a confirmation as if its code had been shown, and returns the header that spends it.
func ask(t *testing.T, c *Confirmations, action string, s Subject) (header, id string) {
	t.Helper()
	id, err := c.add(Claim{Action: action, Subject: s.ID, Hash: s.ContentHash, Revision: s.Revision}, "abcdef")
	if err != nil {
		t.Fatal(err)
	}
	return id + ":abc-DEF", id
}

func TestAConfirmationIsGoodForExactlyWhatWasSeen(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	seen := Subject{ID: "p1", Revision: 2, ContentHash: "h1", ChangedAt: clock.At(now)}
	for name, c := range map[string]struct {
		action string
		now    Subject
		later  time.Duration
		ok     bool
	}{
		"what was seen":    {"install", seen, time.Second, true},
		"another action":   {"approve", seen, 0, false},
		"another subject":  {"install", Subject{ID: "p2", Revision: 2, ContentHash: "h1"}, 0, false},
		"a later revision": {"install", Subject{ID: "p1", Revision: 3, ContentHash: "h1"}, 0, false},
		"other content":    {"install", Subject{ID: "p1", Revision: 2, ContentHash: "h2"}, 0, false},
		"changed in between": {"install", Subject{ID: "p1", Revision: 2, ContentHash: "h1", ChangedAt: clock.At(now.Add(time.Second))}, 0,
			false},
		"a bit too late":      {"install", seen, confirmationLife, false},
		"at the last moment":  {"install", seen, confirmationLife - time.Millisecond, true},
		"nothing of the kind": {"", Subject{}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := now
			cs := New(func() time.Time { return at }, clock.NewID)
			header, _ := ask(t, cs, "install", seen)
			at = at.Add(c.later)
			err := cs.Use(header, c.action, c.now, noRequest)
			if (err == nil) != c.ok || (err != nil && !fault.Is(err, fault.PresenceRejected)) {
				t.Error(err)
			}
			if cs.Use(header, "install", seen, noRequest) == nil {
				t.Error("it was good twice")
			}
		})
	}
}

func TestGuessesAreFew(t *testing.T) {
	cs := New(time.Now, clock.NewID)
	s := Subject{ID: "p1"}
	header, id := ask(t, cs, "install", s)
	for range confirmationGuesses {
		if err := cs.Use(id+":zzzzzz", "install", s, noRequest); !fault.Is(err, fault.PresenceRejected) {
			t.Fatal(err)
		}
	}
	if err := cs.Use(header, "install", s, noRequest); !fault.Is(err, fault.PresenceRejected) {
		t.Error("the right code after three wrong ones")
	}
	for _, h := range []string{"", ":", id, id + ":", "x:abcdef", strings.Repeat("x", 1<<16)} {
		if cs.Use(h, "install", s, noRequest) == nil {
			t.Errorf("%.20q was accepted", h)
		}
	}
}

func TestATerminalIsNotFlooded(t *testing.T) {
	now := time.Now()
	cs := New(func() time.Time { return now }, clock.NewID)
	for range confirmationsOpen {
		ask(t, cs, "install", Subject{ID: "p1"})
	}
	if _, err := cs.add(Claim{}, "abcdef"); !fault.Is(err, fault.TooManyRequests) {
		t.Error(err)
	}
	now = now.Add(confirmationLife)
	ask(t, cs, "install", Subject{ID: "p1"})
}

func TestCodesAreEasyToReadAndDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		c := newCode()
		if len(c) != 6 || strings.ContainsAny(c, "il1o05s8b") && strings.ContainsAny(c, "il1o058") || seen[c] {
			t.Fatalf("%q", c)
		}
		seen[c] = true
	}
}

// Who is in a terminal is not told to go into one: it is another user's.
func TestATerminalThatIsSomebodyElses(t *testing.T) {
	cs := New(time.Now, clock.NewID)
	for how, c := range map[string]struct {
		tty  *caller.Terminal
		says string
	}{"terminal": {new(caller.Terminal), "another user"}, "program": {nil, "no terminal"}} {
		_, err := cs.Ask(wire.ConfirmationRequest{Action: "install", SubjectID: "p1"}, c.tty, how, "install p1", false)
		if !fault.Is(err, fault.PresenceRequired) || !strings.Contains(fault.From(err).Message, c.says) {
			t.Errorf("%s: %v", how, err)
		}
	}
}

// Who answers the run of a caller from elsewhere reads that the caller can have the answer.
func TestAnAnswerSaysWhereItGoes(t *testing.T) {
	for caller, want := range map[string]bool{"": false, "remote/scout": true} {
		x := Subject{}.SayAnswer(agentrun.Run{Agent: "codex", For: caller}, &agentrun.AnswerRequest{Text: "blue"})
		if got := strings.Contains(strings.Join(x.Lines, "\n"), "can reach remote/scout"); got != want {
			t.Errorf("%q: %q", caller, x.Lines)
		}
	}
}
