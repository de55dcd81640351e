package player

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"showhow/browser/find"
)

// mostScreens bounds how far one list is gone through; after fewScreens without a change it is gone to its end.
const (
	mostScreens = 80
	fewScreens  = 2
)

// findFurther looks for what a page may hold back: many a list has only those rows in the page that are in sight, or asks for more of
// them when its end is reached. They are scrolled through until the target is found or their end is. What stays as it was when it is
// scrolled holds nothing back.
func (p *reader) findFurther(ctx context.Context, t *tab, w find.Want) *find.Found {
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
				return nil
			}
			changes = changes || p.look(ctx, t).quiet < time.Since(began)
			if toEnd && !changes {
				break // all of it is in the page
			}
			toEnd = n >= fewScreens && !changes // only there it may ask for more
			f, err := p.lookFor(ctx, t, w)
			var missing *find.NotFound
			if err == nil {
				return f
			}
			if !errors.As(err, &missing) || missing.Reason == find.Ambiguous {
				return nil
			}
		}
		p.ask(ctx, t, fmt.Sprintf("globalThis.showhow.scrollBack(%d)", i))
	}
	return nil
}
