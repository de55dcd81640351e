package tray

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"showhow/daemon/client"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Limits up to which a menu shows a call completely: so many lines of at most so many characters.
const (
	callLines = 12
	callLine  = 300
)

// does describes the kind of effect a tool has.
var does = map[string]string{"read": "It reads", "write": "It changes something", "send": "It sends something",
	"delete": "It deletes something", "other": "Nobody can tell by its name what it does"}

// target is what a call is made to: a connector by its id, and Showhow's own tools by a name that no connector has.
func target(id string) string {
	if id == "showhow" {
		return "Showhow itself"
	}
	return id
}

// call shows a connector's call that waits for the person. It can be allowed here only if everything that would be
// sent is shown.
func (t *tray) call(d client.PendingCall) entry {
	id := d.DispatchID
	e := entry{key: "call:" + id, label: fmt.Sprintf("The agent “%s” wants to call %s of %s", shorten(d.Agent, 30), shorten(d.ToolName, 60),
		shorten(target(d.ServerID), 40))}
	line := func(key, text string) { e.sub = append(e.sub, said(key+":"+id, text)) }
	line("does", does[d.ActionClass])
	if len(d.DataClasses) > 0 {
		line("data", "Kinds of data: "+shorten(strings.Join(d.DataClasses, ", "), callLine))
	}
	told, all := found(d.About)
	for i, l := range told {
		line(fmt.Sprintf("about%d", i), l)
	}
	lines, whole := sent(d.Arguments)
	for i, l := range lines {
		line(fmt.Sprintf("sent%d", i), l)
	}
	if len(d.Changed) > 0 {
		changed, _ := complete(strings.Join(d.Changed, ", "))
		line("changed", "Since the last time: "+changed)
	}
	e.sub = append(e.sub, separator("answers:"+id))
	if whole && all {
		e.sub = append(e.sub, entry{key: "once:" + id, label: "Allow exactly this, once",
			do: func(ctx context.Context, by clicker) error { return t.allowCall(ctx, d, by) }})
	}
	if t.o.Open != nil {
		e.sub = append(e.sub, entry{key: "look:" + id, label: "Look at it in Showhow", do: func(ctx context.Context, _ clicker) error {
			return t.o.Open(ctx)
		}})
	}
	e.sub = append(e.sub, entry{key: "deny:" + id, label: "Refuse", do: func(ctx context.Context, _ clicker) error {
		defer t.f.Look()
		_, err := t.o.Client.DecideCall(ctx, id, client.CallDecision{Decision: "deny"})
		return err
	}})
	return e
}

// sent lists what would be sent, line by line; whole reports whether the lines are all of it.
func sent(args map[string]any) (lines []string, whole bool) {
	if len(args) == 0 {
		return []string{"Nothing is sent with it"}, true
	}
	whole = true
	for _, k := range slices.Sorted(maps.Keys(args)) {
		b, err := json.Marshal(args[k])
		if err != nil {
			return lines, false
		}
		l := k + ": " + string(b)
		shown, all := complete(l)
		if whole = whole && all; len(lines) == callLines {
			return append(lines, "… and more than a menu shows"), false
		}
		lines = append(lines, shown)
	}
	return lines, whole
}

// found lists what Showhow found out about a call of a tool of its own; whole reports whether the lines are all of it.
func found(about []string) (lines []string, whole bool) {
	whole = len(about) <= callLines
	for _, l := range about[:min(len(about), callLines)] {
		shown, all := complete(l)
		whole = whole && all
		lines = append(lines, shown)
	}
	if len(about) > callLines {
		lines = append(lines, "… and more than a menu shows")
	}
	return lines, whole
}

// complete is a line as a menu shows it, with the codes of characters that are not displayed, and whether that is all of
// it: nothing cut off, nothing spelled, no two blanks that a menu shows as one.
func complete(l string) (shown string, all bool) {
	shown = plain.Clip(plain.Squeeze(plain.SpelledLine(l)), callLine)
	return shown, shown == l
}

// allowCall allows a call once; the click is the person's confirmation.
func (t *tray) allowCall(ctx context.Context, d client.PendingCall, by clicker) error {
	defer t.f.Look()
	q := client.CallDecision{Decision: "approve_once"}
	return t.byClick(ctx, client.ConfirmationRequest{Action: "approve-call", SubjectID: d.DispatchID, ClickedBy: by.pid},
		func(calls ...client.Call) error {
			_, err := t.o.Client.DecideCall(ctx, d.DispatchID, q, calls...)
			return err
		})
}

// byClick does what a person clicked; the click is the confirmation, if one is needed. What exactly is confirmed the
// daemon says when it is first asked.
func (t *tray) byClick(ctx context.Context, q client.ConfirmationRequest, do func(...client.Call) error) error {
	err := do()
	if !fault.Is(err, fault.PresenceRequired) {
		return err
	}
	q.ContentHash, _ = fault.From(err).Details["content_hash"].(string)
	open, err := t.o.Client.AskConfirmation(ctx, q)
	if err != nil {
		return err
	}
	return do(client.Confirmed(open.ConfirmationID, open.Code))
}
