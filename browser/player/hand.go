package player

import (
	"context"
	_ "embed"
	"errors"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// hand operates one found element.
type hand struct {
	p *operator
	t *tab
	f *find.Found
	a Act
}

//go:embed aim.js
var aimJS string

// The purposes of aiming.
const (
	aimClick = "click" // sets the trap
	aimHover = "hover"
	aimDrop  = "drop"
	aimGrab  = "grab" // a drag begins: no trap
)

// stillFrames is how many frames to wait for an element to stand still.
const stillFrames = 20

// point is a place in the tab's viewport, in CSS pixels.
type point struct{ x, y float64 }

// on calls a function on the element and decodes its result. It returns Unready{Replaced} if the
// element's document is gone.
func (h *hand) on(ctx context.Context, function string, into any, args ...any) error {
	return h.p.callOn(ctx, h.t, h.f, function, into, args...)
}

// errStopped: a dialog or the end of the tab came instead of an answer.
var errStopped = errors.New("the page has stopped")

// aim scrolls the element into view, waits until it can be operated, and returns the point to hit.
func (h *hand) aim(ctx context.Context, mode string) (point, error) {
	var at struct {
		R      string  `json:"r"`
		What   string  `json:"what"`
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		Left   float64 `json:"left"`
		Top    float64 `json:"top"`
		Framed bool    `json:"framed"`
		Other  bool    `json:"other"`
	}
	if err := h.on(ctx, aimJS, &at, mode, stillFrames); err != nil {
		return point{}, err
	}
	if at.R != "ok" {
		what := at.What
		if what == "" {
			what = h.f.Role
		}
		return point{}, &Unready{Reason: map[string]Reason{"detached": Replaced, "hidden": Hidden, "disabled": Disabled, "moving": Moving,
			"covered": Covered}[at.R], What: what, passing: true}
	}
	out := point{at.X, at.Y}
	if !at.Framed {
		return out, nil
	}
	return h.throughFrames(ctx, out, point{at.Left, at.Top}, at.Other)
}

// throughFrames converts a point from a frame's coordinates to the tab's and checks at each border
// that a pointer hits the frame itself there. corner is the element's own corner.
func (h *hand) throughFrames(ctx context.Context, at, corner point, other bool) (point, error) {
	gone := &Unready{Reason: Replaced, passing: true}
	if !other {
		var q dom.GetContentQuadsResult
		if h.p.send(ctx, h.t, h.f.Session, dom.CommandGetContentQuads, dom.GetContentQuadsParams{ObjectID: h.f.ObjectID}, &q) != nil ||
			len(q.Quads) == 0 || len(q.Quads[0]) < 2 {
			return at, gone
		}
		// The quad is in the coordinates of the outermost frame of the element's process.
		at = point{at.x + q.Quads[0][0] - corner.x, at.y + q.Quads[0][1] - corner.y}
	} else if err := h.chain(ctx, &at); err != nil {
		return at, err
	}
	var v *view
	h.p.locked(func() { v = h.p.views[h.f.Session] })
	if v != nil && v.s == h.t.s { // same process: what is hit must not be of the top document
		hit, err := h.hit(ctx, v.s, at)
		if err != nil {
			return at, gone
		}
		if hit.FrameID == frameOf(v) {
			return at, &Unready{Reason: Covered, What: "frame", passing: true}
		}
	}
	for ; v != nil && v.s != h.t.s; v = v.parent {
		if v.parent == nil {
			return at, gone
		}
		var owner dom.GetFrameOwnerResult
		if h.p.send(ctx, h.t, v.parent.s, dom.CommandGetFrameOwner, dom.GetFrameOwnerParams{FrameID: frameOf(v)}, &owner) != nil {
			return at, gone
		}
		var box dom.GetBoxModelResult
		if h.p.send(ctx, h.t, v.parent.s, dom.CommandGetBoxModel, dom.GetBoxModelParams{BackendNodeID: owner.BackendNodeID}, &box) != nil ||
			box.Model == nil || len(box.Model.Content) < 2 {
			return at, gone
		}
		at = point{at.x + box.Model.Content[0], at.y + box.Model.Content[1]}
		hit, err := h.hit(ctx, v.parent.s, at)
		if err != nil || hit.BackendNodeID != owner.BackendNodeID {
			return at, &Unready{Reason: Covered, What: "frame", passing: true}
		}
	}
	return at, nil
}

// hit returns what a pointer would hit at a point of a session's window. The browser counts from
// the document's corner there.
func (h *hand) hit(ctx context.Context, s *browser.Session, at point) (hit dom.GetNodeForLocationResult, err error) {
	var m page.GetLayoutMetricsResult
	if err = h.p.send(ctx, h.t, s, page.CommandGetLayoutMetrics, nil, &m); err != nil {
		return hit, err
	}
	if m.CSSVisualViewport != nil {
		at.x, at.y = at.x+m.CSSVisualViewport.PageX, at.y+m.CSSVisualViewport.PageY
	}
	err = h.p.send(ctx, h.t, s, dom.CommandGetNodeForLocation, dom.GetNodeForLocationParams{X: int64(at.x), Y: int64(at.y)}, &hit)
	return hit, err
}

// chain adds the offsets of same-origin frames.
func (h *hand) chain(ctx context.Context, at *point) error {
	var off []float64
	err := h.on(ctx, `function () {
		let x = 0, y = 0;
		for (let w = window; w.frameElement; w = w.parent) {
			const r = w.frameElement.getBoundingClientRect();
			x += r.x + w.frameElement.clientLeft;
			y += r.y + w.frameElement.clientTop;
		}
		return [x, y];
	}`, &off)
	if err != nil || len(off) != 2 {
		return &Unready{Reason: Replaced, passing: true}
	}
	at.x, at.y = at.x+off[0], at.y+off[1]
	return nil
}

// mouse sends pointer events to the tab, which handles them in order: the last answer stands for
// all. The tab passes them on to frames of other processes.
func (h *hand) mouse(ctx context.Context, events ...input.DispatchMouseEventParams) error {
	last := len(events) - 1
	for _, e := range events[:last] {
		h.t.s.Send(input.CommandDispatchMouseEvent, e, nil)
	}
	err := h.p.send(ctx, h.t, h.t.s, input.CommandDispatchMouseEvent, events[last], nil)
	if errors.Is(err, errStopped) {
		return nil // a dialog, or the end of the tab, is what they did
	}
	return err
}

func (h *hand) move(ctx context.Context, at point) error {
	return h.mouse(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: at.x, Y: at.y})
}

// click clicks, once or twice, with the act's button and modifiers.
func (p *operator) click(ctx context.Context, h *hand) error {
	at, err := h.aim(ctx, aimClick)
	var u *Unready
	if errors.As(err, &u) && (u.Reason == Covered || u.Reason == Hidden) && h.overRow(ctx) {
		at, err = h.aim(ctx, aimClick)
	}
	if err != nil {
		return err
	}
	return h.strike(ctx, at)
}

// overRow points at the element's row: actions of a row may only appear under the pointer.
func (h *hand) overRow(ctx context.Context) bool {
	var at struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
	}
	err := h.on(ctx, `async function () {
		const row = this.closest('tr,li,article,[role=row],[role=listitem],[role=option]');
		if (!row || window !== window.top) return { x: 0, y: 0 };
		row.scrollIntoView({ block: 'center', behavior: 'instant' });
		await new Promise((next) => { setTimeout(next, 50); requestAnimationFrame(next); });
		const r = row.getBoundingClientRect();
		return { x: Math.max(1, r.x + Math.min(r.width / 2, 120)), y: r.y + r.height / 2 };
	}`, &at)
	return err == nil && at.X > 0 && h.move(ctx, point{at.X, at.Y}) == nil
}

// strike presses and releases the button at a point that was aimed at.
func (h *hand) strike(ctx context.Context, at point) error {
	button, buttons := input.MouseButtonLeft, int64(1)
	mods, key := chord(h.a.Keys)
	switch {
	case h.a.Verb == capture.RightClick:
		button, buttons = input.MouseButtonRight, 2
	case key == "Middle":
		button, buttons = input.MouseButtonMiddle, 4
	}
	times := int64(1)
	if h.a.Verb == capture.DoubleClick {
		times = 2
	}
	all := []input.DispatchMouseEventParams{{Type: input.DispatchMouseEventTypeMouseMoved, X: at.x, Y: at.y, Modifiers: mods}}
	for n := int64(1); n <= times; n++ {
		down := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: at.x, Y: at.y, Button: button, Buttons: buttons,
			ClickCount: n, Modifiers: mods}
		up := down
		up.Type, up.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
		all = append(all, down, up)
	}
	if err := h.mouse(ctx, all...); err != nil {
		return err
	}
	return h.disarm(ctx)
}

// disarm removes the trap. A click caught by it hit nothing: the act was not performed.
func (h *hand) disarm(ctx context.Context) error {
	var trap struct {
		Hit    int `json:"hit"`
		Missed int `json:"missed"`
	}
	trap.Hit = 1 // a page that is gone was hit
	err := h.on(ctx,
		`function () { const t = globalThis.showhowTrap; return t ? { hit: t.end().hit, missed: t.missed } : { hit: 1, missed: 0 }; }`, &trap)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && trap.Hit == 0 && trap.Missed > 0 {
		return &Unready{Reason: Covered, What: h.f.Role, passing: true}
	}
	return nil
}

// focus focuses the element, as the Tab key does.
func (h *hand) focus(ctx context.Context) error {
	var ok bool
	err := h.on(ctx, `function () {
		if (!this.isConnected) return false;
		const deep = () => { let a = this.getRootNode().activeElement; while (a && a.shadowRoot && a.shadowRoot.activeElement) a = `+
		`a.shadowRoot.activeElement; return a; };
		if (deep() !== this) { this.scrollIntoView({ block: 'nearest', behavior: 'instant' }); this.focus(); }
		return deep() === this || !!deep() && this.contains(deep());
	}`, &ok)
	if err != nil {
		return err
	}
	if !ok {
		return &Unready{Reason: Disabled, What: h.f.Role, passing: true}
	}
	return nil
}
