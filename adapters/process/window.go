package process

import (
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/capture/cmdline"
)

// window describes the active window as the window system does.
type window struct {
	pid   int // 0 when the program does not say
	class []string
	title string
}

// names are what a person may call the window's program.
func (w window) names(i *image) []string {
	var out []string
	if i != nil && i.mine {
		out = i.names()
	}
	for _, c := range w.class {
		c = appName(c)
		out = append(out, c)
		if at := strings.IndexAny(c, "-_."); at > 0 { // gimp-2.10, libreoffice-calc, org.gnome.Evince
			out = append(out, c[:at], c[strings.LastIndexAny(c, "-_.")+1:])
		}
		if a := aliases[c]; a != "" {
			out = append(out, a)
		}
	}
	return out
}

// activated emits that a window came to the front, if the scope names its program. The window is read only if it
// could matter.
func (t *tracker) activated(at time.Time, read func() window) {
	scope, ok := t.watching()
	if !ok {
		return
	}
	if scope.Empty() {
		t.sink.Withhold(capture.ProcessLaunch, capture.NoScope, 1)
		return
	}
	w := read()
	var i *image
	if w.pid > 0 {
		i = t.look(w.pid)
	}
	names := w.names(i)
	app := match(scope, &image{exe: "-"}, names)
	own, cause := t.shown(w.pid, app)
	switch {
	case own || i != nil && t.own(i) || slices.ContainsFunc(names, cmdline.Own):
		t.sink.Withhold(capture.ProcessLaunch, capture.OwnWindow, 1)
		return
	case app == "":
		t.sink.Withhold(capture.ProcessLaunch, capture.OffScope, 1)
		return
	}
	o := capture.Observation{Kind: capture.ProcessLaunch, Verb: capture.Activate, OccurredAt: at, Surface: capture.SurfaceRawUI,
		Origin: capture.Origin{App: app, PID: w.pid}, CauseKey: cause, Changed: true}
	if !has(browserNames, names) && !has(terminals, names) {
		o.Window = strings.ToValidUTF8(w.title, "\uFFFD")
	}
	t.emit(o)
}

// shown returns whether a window's process is Showhow's, and the launch of which the window is the first effect:
// reason enough to report that launch now. A program that does not state its process id is identified by its name.
func (t *tracker) shown(pid int, app string) (own bool, cause string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var l *launch
	if p := t.procs[pid]; p != nil {
		own, l = p.tree == owns, p.launch
	} else if pid == 0 {
		l = t.latest(app)
	}
	if l != nil && l.named && !l.shown {
		l.shown, cause = true, l.key
		if l.o != nil {
			t.report(l)
		}
	}
	return own, cause
}

// latest is the last launch of an app that is not reported yet.
func (t *tracker) latest(app string) *launch {
	var found *launch
	for l := range t.open {
		if l.o != nil && l.o.Origin.App == app && (found == nil || l.at.After(found.at)) {
			found = l
		}
	}
	return found
}

// emit emits an observation that is not a launch. The window system may answer so late that watching has been resumed
// meanwhile: what was done before is still not reported.
func (t *tracker) emit(o capture.Observation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paused || o.OccurredAt.Before(t.from) {
		return
	}
	o.Key = t.key()
	t.sink.Emit(o)
}
