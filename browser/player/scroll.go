package player

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"showhow/browser/find"
)

// mostScreens bounds how far one list is scrolled; after fewScreens without a change it is scrolled
// to its end.
const (
	mostScreens = 80
	fewScreens  = 2
)

// findFurther looks for rows that a page may not have rendered: many lists contain only the visible
// rows, or load more when their end is reached. It scrolls them until the target is found or they
// end. A list that does not change when scrolled has nothing more.
func (p *reader) findFurther(ctx context.Context, t *tab, w find.Want) (found *find.Found) {
	p.scrollThrough(ctx, t, func() (over bool) {
		f, err := p.lookFor(ctx, t, w)
		var missing *find.NotFound
		if err == nil {
			found = f
		}
		return err == nil || !errors.As(err, &missing) || missing.Reason == find.Ambiguous
	})
	return found
}

// scrollThrough goes through what scrolls, screen by screen, until it is over; else all is put back.
func (p *reader) scrollThrough(ctx context.Context, t *tab, over func() bool) {
	lists, _ := strconv.Atoi(p.ask(ctx, t, "globalThis.showhow.scrolls()")[0])
	for i := range lists {
		changes, toEnd := false, false
		for n := range mostScreens {
			began := time.Now()
			on := fmt.Sprintf("globalThis.showhow.scrollOn(%d, %v)", i, toEnd)
			if p.ask(ctx, t, on)[0] == "" && (!changes || p.pause(ctx, tick) != nil || p.ask(ctx, t, on)[0] == "") { // more may be on its way
				break
			}
			p.locked(func() { p.act.since = began })
			if p.rest(ctx) != nil || p.alive(t) != nil {
				return
			}
			changes = changes || p.look(ctx, t).quiet < time.Since(began)
			if toEnd && !changes {
				break // all of it is in the page
			}
			toEnd = n >= fewScreens && !changes // only there it may ask for more
			if over() {
				return
			}
		}
		p.ask(ctx, t, fmt.Sprintf("globalThis.showhow.scrollBack(%d)", i))
	}
}
