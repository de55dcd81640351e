package follow

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/daemon/client"
)

// State is what a person must see at a glance.
type State string

const (
	Away     State = "away"     // no daemon answers
	Off      State = "off"      // nothing is watched
	Armed    State = "armed"    // something may be watched as soon as it is started
	Watching State = "watching" // what is done in the named places is kept
	Paused   State = "paused"
)

// View is the daemon's state, as far as tray and overlay show it.
type View struct {
	State   State
	Session *client.Session // of Armed, Watching and Paused
	Kept    int64
	Runs    []client.SandboxRun          // that wait for an answer
	Asks    []client.PendingConfirmation // that the person can confirm or refuse here
	SignIns []client.ValidationRun       // that wait until the person has signed in
	Calls   []client.PendingCall         // of connectors, that wait for the person
	Problem string                       // why nothing is known, in words for a person; only with Away
	Code    string                       // the stable code of Problem
	Scope   *client.ObservationScopeRuntime

	Inbox []client.InboxItem // what waits for the person and is not shown otherwise; it may be half a minute old
}

// On reports whether a person must be able to see that something is watched or about to be.
func (v View) On() bool { return v.State == Armed || v.State == Watching || v.State == Paused }

// Waits reports whether something waits for the person.
func (v View) Waits() bool { return len(v.Runs)+len(v.SignIns)+len(v.Asks)+len(v.Calls) > 0 }

// May reports whether the session accepts an action now, according to the daemon; it is not computed here.
func (v View) May(a client.Action) bool {
	return v.Session != nil && slices.Contains(v.Session.AllowedActions, a)
}

// Headline summarises the state in a few words.
func (v View) Headline() string {
	switch v.State {
	case Armed:
		return "Ready to watch"
	case Watching:
		if t := v.Since(); !t.IsZero() {
			return "Watching since " + t.Local().Format("15:04")
		}
		return "Watching"
	case Paused:
		return "Paused"
	case Away:
		return v.Problem
	}
	return "Nothing is watched"
}

// Since is when capture last began, or the zero time.
func (v View) Since() (t time.Time) {
	if v.Session != nil && v.Session.CapturingSince != nil {
		t = v.Session.CapturingSince.Time
	}
	return t
}

// Goal is the task being demonstrated.
func (v View) Goal() string {
	if v.Session == nil {
		return ""
	}
	if v.Session.Goal == "" {
		return "no goal named yet"
	}
	return v.Session.Goal
}

// Why is the reason for a pause.
func (v View) Why() string {
	if v.State != Paused || v.Session == nil {
		return ""
	}
	if w, ok := whyPaused[string(v.Session.PauseReason)]; ok {
		return w
	}
	return strings.ReplaceAll(string(v.Session.PauseReason), "_", " ")
}

var whyPaused = map[string]string{
	"": "by you", "user": "by you", "no_indicator": "nothing showed you that capture was on", "capture_timeout": "after four hours",
	"idle": "nothing happened for 15 minutes", "screen_locked": "the screen was locked", "user_switched": "the user was switched",
	"suspended": "the computer went to sleep", "daemon_restart": "the daemon was restarted",
	"adapter_failed": "an adapter failed; showhow doctor says more", "store_failed": "nothing could be stored; showhow doctor says more",
}

// Places are what may be watched, as a person would name it.
func (v View) Places() string {
	if v.Session == nil {
		return ""
	}
	s := v.Session.Scope
	names := slices.Concat(s.Sites, s.Apps, s.Devices)
	for _, sh := range s.Shells {
		names = append(names, "shell "+strings.TrimPrefix(sh, "/dev/"))
	}
	for _, f := range s.Folders {
		names = append(names, filepath.Base(f))
	}
	if len(names) == 0 {
		return "nothing yet"
	}
	return strings.Join(names, ", ")
}

// Count says how much was kept.
func (v View) Count() string {
	if v.Kept == 1 {
		return "1 action kept"
	}
	return fmt.Sprintf("%d actions kept", v.Kept)
}
