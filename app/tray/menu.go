package tray

import (
	"context"
	"fmt"
	"strings"

	"showhow/app/follow"
	"showhow/daemon/client"
	"showhow/internal/plain"
)

// entry is one line of the menu. Its key names its action and object; the same key keeps the same number as long as
// the tray lives.
type entry struct {
	key   string
	label string
	off   bool // shown, not to be clicked
	line  bool // a separator
	sub   []entry
	do    func(ctx context.Context, by clicker) error
}

// clicker is the process that sent a click.
type clicker struct{ pid int }

func said(key, label string) entry { return entry{key: key, label: label, off: true} }
func separator(key string) entry   { return entry{key: key, line: true} }

// menu lists what can be done about v.
func (t *tray) menu(v follow.View, notice string) []entry {
	out := []entry{said("headline", headline(v))}
	if v.On() {
		out = append(out, said("places", "Only: "+shorten(v.Places(), 80)))
		out = append(out, said("count", v.Count()+withheld(v)))
	}
	if notice != "" {
		out = append(out, said("notice", notice))
	}
	if acts := t.acts(v); len(acts) > 0 {
		out = append(append(out, separator("acts")), acts...)
	}
	for _, a := range v.Asks {
		out = append(out, separator("line:"+a.ConfirmationID), t.confirmation(a))
	}
	for _, r := range v.Runs {
		out = append(out, separator("run:"+r.RunID), t.question(r))
	}
	for _, d := range v.Calls {
		out = append(out, separator("waits:"+d.DispatchID), t.call(d))
	}
	for _, r := range v.SignIns {
		out = append(out, separator("test:"+r.ValidationRunID), t.signIn(r))
	}
	if len(v.Inbox) > 0 {
		out = append(out, separator("inbox"), t.inbox(v.Inbox))
	}
	out = append(out, separator("end"))
	if t.o.Open != nil {
		out = append(out, entry{key: "open", label: "Open Showhow", do: func(ctx context.Context, _ clicker) error { return t.o.Open(ctx) }})
	}
	quit := entry{key: "quit", label: "Close this icon", do: func(context.Context, clicker) error { t.quit(); return nil }}
	if v.State == follow.Watching {
		quit.label = "Close this icon (watching pauses when nothing else shows it)"
	}
	return append(out, quit)
}

// inbox lists what waits for the person besides questions, each with its actions.
func (t *tray) inbox(items []client.InboxItem) entry {
	e := entry{key: "waiting", label: fmt.Sprintf("%d things wait for you", len(items))}
	if len(items) == 1 {
		e.label = "Something waits for you"
	}
	for _, i := range items[:min(len(items), 8)] {
		e.sub = append(e.sub, said("item:"+i.ItemID, shorten(i.Title, 80)))
	}
	if t.o.Open != nil {
		e.sub = append(e.sub, entry{key: "inbox:open", label: "Open Showhow",
			do: func(ctx context.Context, _ clicker) error { return t.o.Open(ctx) }})
	}
	return e
}

func headline(v follow.View) string {
	if v.On() {
		h := v.Headline() + ": " + shorten(v.Goal(), 60)
		if why := v.Why(); why != "" {
			h = "Paused, " + why + ": " + shorten(v.Goal(), 60)
		}
		return h
	}
	return v.Headline()
}

func withheld(v follow.View) string {
	if v.Scope == nil {
		return ""
	}
	var n int64
	for _, w := range v.Scope.Withheld {
		n += w.Count
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d withheld", n)
}

// acts are the actions that the daemon allows for the current session.
func (t *tray) acts(v follow.View) (out []entry) {
	if v.Session == nil {
		return nil
	}
	id := v.Session.LearnSessionID
	add := func(a client.Action, label string, do func(context.Context, follow.View) error) {
		if v.May(a) {
			out = append(out, entry{key: string(a) + ":" + id, label: label,
				do: func(ctx context.Context, _ clicker) error { return do(ctx, v) }})
		}
	}
	add("start", "Start watching", t.f.Start)
	add("pause", "Pause", t.f.Pause)
	add("resume", "Resume", t.f.Resume)
	add("stop", "Stop", t.f.Stop)
	if v.May("cancel") {
		sure := said("sure:"+id, "What was kept so far is given up.")
		if v.Kept == 0 {
			sure.label = "Nothing was kept so far."
		}
		yes := entry{key: "cancel:" + id, label: "Yes, discard it", do: func(ctx context.Context, _ clicker) error { return t.f.Discard(ctx, v) }}
		out = append(out, entry{key: "discard:" + id, label: "Discard…", sub: []entry{sure, yes}})
	}
	return out
}

// question shows a run's question. The words are the agent's, and are shown as such.
func (t *tray) question(r client.SandboxRun) entry {
	q := r.Question
	answer := func(key, label string, allow bool) entry {
		return entry{key: key + ":" + q.QuestionID, label: label, do: func(ctx context.Context, by clicker) error {
			return t.answer(ctx, r, allow, by)
		}}
	}
	refuse := answer("refuse", "Refuse", false)
	if q.Kind == "domain" {
		e := entry{key: "ask:" + q.QuestionID, label: fmt.Sprintf("%s asks to reach %s", agentName(r), shorten(q.Host, 60))}
		if q.Text != "" {
			e.sub = append(e.sub, said("says:"+q.QuestionID, "It says: “"+shorten(q.Text, 120)+"”"))
		}
		e.sub = append(e.sub, answer("allow", "Allow in this run", true), refuse)
		return e
	}
	e := entry{key: "ask:" + q.QuestionID, label: agentName(r) + " asks you something",
		sub: []entry{said("says:"+q.QuestionID, "“"+shorten(q.Text, 120)+"”")}}
	if t.o.Open != nil { // words are typed in the window
		e.sub = append(e.sub, entry{key: "reply:" + q.QuestionID, label: "Answer in Showhow", do: func(ctx context.Context, _ clicker) error {
			return t.o.Open(ctx)
		}})
	}
	e.sub = append(e.sub, refuse)
	return e
}

func agentName(r client.SandboxRun) string {
	if r.Agent == "" {
		return "An agent"
	}
	return "The agent “" + shorten(r.Agent, 30) + "”"
}

// askedIn says where the answer is awaited.
var askedIn = map[string]string{"terminal": "Asked in a terminal", "browser": "Asked by a page in a browser",
	"program": "Asked by a program"}

// confirmation shows all consequences of a yes: what is confirmed is what was shown.
func (t *tray) confirmation(a client.PendingConfirmation) entry {
	id := a.ConfirmationID
	answer := func(key, label string, allow bool) entry {
		return entry{key: key + ":" + id, label: label, do: func(ctx context.Context, by clicker) error {
			defer t.f.Look()
			_, err := t.o.Client.AnswerConfirmation(ctx, id, allow, by.pid)
			return err
		}}
	}
	e := entry{key: "confirm:" + id, label: a.Question}
	for i, line := range a.About {
		e.sub = append(e.sub, said(fmt.Sprintf("about%d:%s", i, id), line))
	}
	where := askedIn[a.AskedIn]
	if hash := strings.TrimPrefix(a.ContentHash, "sha256:"); len(hash) >= 8 {
		where += fmt.Sprintf(" (content %s)", hash[:8])
	}
	e.sub = append(e.sub, said("where:"+id, where), separator("answers:"+id),
		answer("yes", "Yes, "+client.Deed(a.Question, a.Action), true), answer("no", "No", false))
	return e
}

// signIn is a rehearsal that waits until the person has signed in, in its own window.
func (t *tray) signIn(r client.ValidationRun) entry {
	id := r.ValidationRunID
	return entry{key: "signin:" + id, label: "A test waits until you have signed in", sub: []entry{
		{key: "continue:" + id, label: "I have signed in: go on", do: func(ctx context.Context, _ clicker) error {
			_, err := t.o.Client.ContinueRun(ctx, id)
			return err
		}},
		{key: "cancelrun:" + id, label: "Cancel the test", do: func(ctx context.Context, _ clicker) error {
			_, err := t.o.Client.CancelRun(ctx, id)
			return err
		}},
	}}
}

// answer sends a person's answer. A yes needs a person's confirmation; a no does not.
func (t *tray) answer(ctx context.Context, r client.SandboxRun, allow bool, by clicker) error {
	defer t.f.Look()
	return t.byClick(ctx, client.ConfirmationRequest{Action: "answer-run", SubjectID: r.Question.QuestionID, Revision: r.Revision,
		ClickedBy: by.pid}, func(calls ...client.Call) error {
		_, err := t.o.Client.AnswerSandboxRun(ctx, r.RunID, client.SandboxRunAnswer{QuestionID: r.Question.QuestionID, Allow: allow},
			append(calls, client.IfMatch(r.Revision))...)
		return err
	})
}

// shorten reduces foreign text to one line of at most n characters, all of which are displayed.
func shorten(s string, n int) string { return plain.Clip(plain.VisibleLine(s), n) }
