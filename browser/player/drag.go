package player

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"showhow/browser/find"
)

// carryTime is how long the browser may take to report that a native drag has begun.
const carryTime = 120 * time.Millisecond

// dragSteps is the number of moves between a drag's ends: pages that implement drag by pointer
// events follow them.
const dragSteps = 8

// drag picks the target up and drops it on another element.
func (p *operator) drag(ctx context.Context, h *hand) error {
	if h.a.To == nil {
		return &Unready{Reason: NoTarget}
	}
	to, err := p.find(ctx, h.t, find.Want{Target: *h.a.To, Verb: find.DropOn}, p.patience())
	if err != nil {
		return err
	}
	over := &hand{p: p, t: h.t, f: to, a: h.a}
	if _, err := over.aim(ctx, aimDrop); err != nil {
		return err
	}
	from, err := h.aim(ctx, aimGrab)
	if err != nil {
		return err
	}
	end, err := over.place(ctx) // without scrolling any more
	if err != nil {
		return err
	}
	t := h.t
	if err := p.send(ctx, t, t.s, input.CommandSetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}, nil); err != nil {
		return err
	}
	defer t.s.Send(input.CommandSetInterceptDrags, input.SetInterceptDragsParams{}, nil)
	held := func(at point) error {
		return h.mouse(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: at.x, Y: at.y,
			Button: input.MouseButtonLeft, Buttons: 1})
	}
	if err := h.move(ctx, from); err != nil {
		return err
	}
	down := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: from.x, Y: from.y, Button: input.MouseButtonLeft,
		Buttons: 1, ClickCount: 1}
	if err := h.mouse(ctx, down); err != nil {
		return err
	}
	for n := 1; n <= dragSteps; n++ {
		part := float64(n) / dragSteps
		at := point{from.x + (end.x-from.x)*part, from.y + (end.y-from.y)*part}
		if n == 1 { // far enough to be a drag, near enough to be where it began
			at = point{from.x + sign(end.x-from.x)*5, from.y + sign(end.y-from.y)*5}
		}
		if err := held(at); err != nil {
			return err
		}
		if n == 2 && p.until(ctx, carryTime, func() bool { return p.act.carried != nil }) == nil {
			break
		}
	}
	var data *input.DragData
	p.locked(func() { data = p.act.carried })
	if data != nil {
		if err := h.dropAt(ctx, end, data); err != nil {
			return err
		}
	} else if err := held(end); err != nil {
		return err
	}
	p.look(ctx, t) // what follows the pointer may do so in its next frame
	up := down
	up.Type, up.X, up.Y, up.Buttons = input.DispatchMouseEventTypeMouseReleased, end.x, end.y, 0
	return h.mouse(ctx, up)
}

func sign(f float64) float64 {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return 0
}

// place returns the centre of the element where it is now, in the tab's coordinates.
func (h *hand) place(ctx context.Context) (point, error) {
	var seen bool
	if err := h.on(ctx, `function () { const r = this.getBoundingClientRect(); return r.bottom > 0 && r.right >`+
		` 0 && r.top < innerHeight && r.left < innerWidth; }`, &seen); err != nil {
		return point{}, err
	}
	if !seen {
		return point{}, &Unready{Reason: Hidden, What: h.f.Role, passing: false}
	}
	return h.aim(ctx, aimDrop)
}
