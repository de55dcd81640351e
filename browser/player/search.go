package player

import (
	"context"
	"errors"
	"time"

	"showhow/browser/find"
	"showhow/capture"
)

// operator acts on page elements.
type operator struct{ *reader }

// find looks for a target until it is there or nothing changes any more, also inside menus that
// open on hover.
func (p *operator) find(ctx context.Context, t *tab, w find.Want, wait *patience) (*find.Found, error) {
	hovered := false
	for {
		f, err := p.lookFor(ctx, t, w)
		var missing *find.NotFound
		switch {
		case err == nil:
			return f, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.As(err, &missing) && p.alive(t) != nil:
			return nil, p.alive(t)
		case errors.As(err, &missing) && !hovered && w.Target.Landmark != nil && w.Target.Landmark.Role == "menu":
			hovered = p.openMenu(ctx, t, w.Target.Landmark.Name)
		}
		if !wait.more(ctx, p.reader, t) {
			if missing != nil && missing.Reason == find.Missing {
				if f := p.findFurther(ctx, t, w); f != nil {
					var tell func(context.Context)
					if p.locked(func() { tell = p.act.further }); tell != nil {
						tell(ctx)
					}
					wait.calm = time.Now() // scrolling it into the middle may redraw it once more
					return f, nil
				}
			}
			return nil, err
		}
	}
}

// openMenu hovers over the element that opens a menu.
func (p *operator) openMenu(ctx context.Context, t *tab, name string) bool {
	for _, role := range []string{"menuitem", "link", "button"} {
		f, err := p.lookFor(ctx, t, find.Want{Target: capture.Target{Role: role, Name: name}, Verb: capture.Click})
		if err != nil {
			continue
		}
		h := &hand{p: p, t: t, f: f}
		if at, err := h.aim(ctx, aimHover); err == nil {
			return h.move(ctx, at) == nil
		}
	}
	return false
}
