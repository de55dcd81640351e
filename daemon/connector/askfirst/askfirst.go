// Package askfirst defines the life of a call that waits for a person: one table of states, and which approval covers
// which call.
//
// Guarantees (decisions H8): an approval is bound to agent, server, tool, the tool's definition and the exact
// arguments, and to the project that the agent says it works for; if any of them differs, it covers nothing. Approving once
// covers one call. For the turn, the session and the project it covers the same call again, and other arguments only
// when the person chose that, which they cannot for the project: that covers all of the agent's sessions. A record that
// is decided, expired or cancelled never becomes pending again; resumed is entered once. Nothing here changes a record
// in place.
//
// Not guaranteed: that a record is stored, or that a caller still waits; package desk does that. That an agent works for
// the project of the binding: the agent itself says so, and can say another.
//
// To test against it: tables; there is no state.
package askfirst

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"showhow/daemon/connector"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Binding is what an approval is bound to.
type Binding struct {
	Agent      string `json:"agent"`
	Server     string `json:"server"`
	Tool       string `json:"tool"`
	Definition string `json:"definition"`        // its hash
	Arguments  string `json:"arguments"`         // their hash
	Project    string `json:"project,omitempty"` // that the agent says it works for; "" for none
}

// HashArguments is the same for equal arguments, however they are formatted.
func HashArguments(args json.RawMessage) (string, error) {
	b, err := canonical(args)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Single is the arguments with each key once, the last, as a person is shown them: of a key that stands there twice, one
// program takes the first, another the last, and a third mixes them. No arguments, and null, are those without a key.
//
// What a person could not be shown as it is sent is refused: arguments that are no object, and a number that a program which
// reads numbers as float64 changes, as a browser does.
func Single(args json.RawMessage) (json.RawMessage, error) {
	b, err := canonical(args)
	if err != nil {
		return nil, err
	}
	return b, exact(b)
}

// canonical is JSON with its keys in order, and each once.
func canonical(args json.RawMessage) (json.RawMessage, error) {
	var v any
	if len(args) > 0 {
		dec := json.NewDecoder(bytes.NewReader(args))
		dec.UseNumber() // 1 and 1.0 are not the same text, and large numbers stay whole
		if err := dec.Decode(&v); err != nil {
			return nil, fault.Wrap(err, fault.MalformedJSON, "the arguments are not valid JSON")
		}
		if _, err := dec.Token(); err != io.EOF {
			return nil, fault.New(fault.MalformedJSON, "the arguments are more than one JSON value")
		}
	}
	if v == nil {
		v = map[string]any{}
	}
	b, err := json.Marshal(v) // keys in order
	if err != nil {
		return nil, fault.Wrap(err, fault.MalformedJSON, "the arguments are not valid JSON")
	}
	return b, nil
}

// States of a record.
const (
	Pending  = "pending"
	Once     = "approved_once"
	Turn     = "approved_until_end_of_turn"
	Session  = "approved_for_session"
	Project  = "approved_for_project"
	Denied   = "denied"
	Expired  = "expired"
	Canceled = "cancelled"
	Resumed  = "resumed"
)

// hops is the complete table of transitions.
var hops = map[string][]string{
	Pending: {Once, Turn, Session, Project, Denied, Expired, Canceled},
	Once:    {Resumed, Expired, Canceled},
	Turn:    {Resumed, Expired, Canceled},
	Session: {Resumed, Expired, Canceled},
	Project: {Resumed, Expired, Canceled},
}

// CanGo reports whether a record can go from one state to another.
func CanGo(from, to string) bool { return slices.Contains(hops[from], to) }

// Approved reports whether a person approved and the call was not made yet.
func Approved(status string) bool {
	return status == Once || status == Turn || status == Session || status == Project
}

// Lifetimes.
const (
	Wait        = 10 * time.Minute // for a person, and for the caller's identical repeat after an approval
	TurnIdle    = 10 * time.Minute // a turn ends after this long without a call, unless its end is reported
	SessionMost = 12 * time.Hour
	ProjectMost = 90 * 24 * time.Hour
)

// Record is a dispatch with its binding.
type Record struct {
	connector.Dispatch
	Binding Binding `json:"binding"`
	Session string  `json:"session"`                 // of the caller at the door
	Sealed  []byte  `json:"sealed,omitempty"`        // the arguments
	Told    []byte  `json:"told,omitempty"`          // what a person is told besides, sealed
	Any     bool    `json:"any_arguments,omitempty"` // the person allowed other arguments, too
}

// to enters a state.
func (r Record) to(status string, now clock.Time) (Record, error) {
	if !CanGo(r.Status, status) {
		if r.Status == Expired {
			return r, fault.New(fault.MCPAskFirstExpired, "nobody answered in time, and the call is not made any more").
				WithHint("the agent can call again, and you are asked again")
		}
		return r, fault.Newf(fault.MCPAskFirstExpired, "the call is %s: this cannot be decided any more", r.Status)
	}
	r.Status, r.UpdatedAt = status, now
	return r, nil
}

// Overdue reports whether a record has expired.
func (r Record) Overdue(now clock.Time) bool {
	return (r.Status == Pending || Approved(r.Status)) && !now.Before(r.ExpiresAt.Time)
}

// Expire ends a record that is overdue.
func (r Record) Expire(now clock.Time) (Record, error) { return r.to(Expired, now) }

// Cancel ends a record whose call cannot be made any more, because the tool or the server has changed, or who made it is not
// let in any more.
func (r Record) Cancel(why string, now clock.Time) (Record, error) {
	n, err := r.to(Canceled, now)
	if err == nil {
		n.DecisionReason = why
	}
	return n, err
}

var decisions = map[string]string{"approve_once": Once, "approve_until_end_of_turn": Turn, "approve_for_session": Session,
	"approve_for_project": Project, "deny": Denied}

// Decide applies a person's answer. An approval is valid for another Wait.
func (r Record) Decide(decision, by, reason string, anyArguments bool, now clock.Time) (Record, error) {
	if r.Overdue(now) {
		r.Status = Expired
	}
	status, ok := decisions[decision]
	if !ok || anyArguments && status != Turn && status != Session {
		return r, fault.New(fault.InvalidRequest, "this answer cannot be given").
			WithHint("any arguments can be allowed for the turn or the session, not once and not for the project")
	}
	if status == Project && r.Binding.Project == "" {
		return r, fault.New(fault.InvalidRequest, "this agent is not known, or does not say for which project it works").
			WithHint("approve it once or for the session; `showhow mcp --project NAME` in an agent's configuration names a project")
	}
	n, err := r.to(status, now)
	if err != nil {
		return r, err
	}
	n.ApprovedBy, n.DecisionReason, n.DecidedAt, n.Any = by, reason, now.Ptr(), anyArguments
	if Approved(status) {
		n.ExpiresAt = now.Plus(Wait)
	}
	return n, nil
}

// Resume lets the call through, once, if it is the one that was approved.
func (r Record) Resume(b Binding, now clock.Time) (Record, error) {
	switch {
	case r.Overdue(now):
		return r, fault.New(fault.MCPAskFirstExpired, "the approval is too old").WithHint("call again, and the person is asked again")
	case r.Binding != b:
		return r, fault.New(fault.MCPAskFirstRequired, "the approval is for another call").WithHint("ask the person for this one")
	}
	return r.to(Resumed, now)
}

// Grant is an approval that covers more than one call.
type Grant struct {
	GrantID    string     `json:"grant_id"` // the dispatch's
	Binding    Binding    `json:"binding"`
	Any        bool       `json:"any_arguments,omitempty"`
	Scope      string     `json:"scope"` // Turn, Session, Project
	Session    string     `json:"session"`
	LastUsedAt clock.Time `json:"last_used_at"`
	ExpiresAt  clock.Time `json:"expires_at"`
	GrantedAt  clock.Time `json:"granted_at,omitzero"`
}

// GrantOf is what an approval grants beyond one call; ok is false for one that grants nothing more.
func GrantOf(r Record, now clock.Time) (Grant, bool) {
	if !Approved(r.Status) || r.Status == Once {
		return Grant{}, false
	}
	most := SessionMost
	if r.Status == Project {
		most = ProjectMost
	}
	return Grant{GrantID: r.DispatchID, Binding: r.Binding, Any: r.Any, Scope: r.Status, Session: r.Session, LastUsedAt: now,
		ExpiresAt: now.Plus(most), GrantedAt: now}, true
}

// Over reports whether a grant has expired.
func (g Grant) Over(now clock.Time) bool {
	return !now.Before(g.ExpiresAt.Time) || g.Scope == Turn && now.Sub(g.LastUsedAt.Time) >= TurnIdle
}

// Covers reports whether a grant covers a call.
func (g Grant) Covers(b Binding, session string, now clock.Time) bool {
	want := g.Binding
	if g.Any && g.Scope != Project {
		want.Arguments = b.Arguments
	}
	return want == b && (g.Scope == Project || g.Session == session) && !g.Over(now)
}

// Words describes a grant for people.
func (g Grant) Words() string {
	what := "exactly this call"
	if g.Any {
		what = "any arguments to " + g.Binding.Tool
	}
	until := "until the agent's session ends"
	switch g.Scope {
	case Turn:
		until = "until the agent's turn ends"
	case Project:
		until = "for the project " + g.Binding.Project
	}
	return fmt.Sprintf("%s, %s", what, until)
}

// Marks stand for the values of a call's arguments, by name: they tell whether a value is another, and not what it is.
type Marks map[string][sha256.Size]byte

// MarksOf are the marks of arguments under a key.
func MarksOf(key []byte, args json.RawMessage) (Marks, error) {
	b, err := Single(args)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	out := make(Marks, len(all))
	for k, v := range all {
		h := hmac.New(sha256.New, key)
		h.Write(v)
		out[k] = [sha256.Size]byte(h.Sum(nil))
	}
	return out, nil
}

// Changed names the arguments that differ from those of an earlier call.
func Changed(before, after Marks) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(unite(before, after))) {
		a, was := before[k]
		b, is := after[k]
		said := " is another"
		switch {
		case !was:
			said = " is new"
		case !is:
			said = " is left out"
		case a == b:
			continue
		}
		if out = append(out, clipped(k)+said); len(out) == mostChanged {
			break
		}
	}
	return out
}

// mostChanged is how many arguments that differ are named.
const mostChanged = 40

func unite(a, b Marks) Marks {
	all := maps.Clone(a)
	if all == nil {
		all = Marks{}
	}
	maps.Copy(all, b)
	return all
}

func clipped(s string) string {
	if r := []rune(s); len(r) > 120 {
		return string(r[:120])
	}
	return s
}
