package player

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/page"

	"showhow/browser/find"
	"showhow/capture"
)

// Do performs one act and waits until the page has settled.
//
// Errors: *find.NotFound if the target is missing or not certain, *Unready if it is there but
// cannot be operated or did not take the value, the context's error, or another if the browser is
// gone.
func (p *Player) Do(ctx context.Context, a Act) (Outcome, error) {
	began := time.Now()
	p.act.delay.letGo(&p.mu)
	answered := p.settleDialog(a)
	p.begin(a)
	t, err := p.choose(a)
	var found *find.Found
	switch {
	case err != nil:
	case a.Verb == capture.Dialog:
		if !answered {
			err = &Unready{Reason: NoDialog}
		}
	default:
		found, err = p.perform(ctx, t, a)
	}
	if err == nil {
		err = p.rest(ctx)
	}
	out := Outcome{Found: found, Downloads: p.saved(ctx)}
	if err == nil && a.NewTab {
		err = p.awaitTab(ctx)
	} else if mods, key := chord(a.Keys); err == nil && a.Verb == capture.Click && (mods&6 != 0 || key == "Middle") && p.alive(t) == nil {
		p.bring(t) // a tab that was opened aside
	}
	p.locked(func() {
		out.Blocked = append(out.Blocked, p.blocked[p.act.blocked:]...)
		out.Dialogs = append(out.Dialogs, p.act.dialogs...)
		if err == nil && len(p.act.dialogs) > maxDialogs {
			err = &Unready{Reason: Endless}
		}
		if p.front != nil {
			out.Tab = p.front.name
		}
	})
	if err != nil {
		p.testify(ctx, err)
	}
	out.Took = time.Since(began)
	return out, err
}

// perform runs an act that needs no target, or finds the target.
func (p *Player) perform(ctx context.Context, t *tab, a Act) (*find.Found, error) {
	switch a.Verb {
	case capture.Navigate:
		return nil, p.goTo(ctx, t, a)
	case capture.NewTab:
		return nil, p.openTab(ctx, a)
	case capture.CloseTab:
		return nil, p.closeTab(ctx, t)
	case capture.SwitchTab:
		p.bring(t)
		return nil, nil
	case capture.Press, capture.Submit:
		if a.Target == nil {
			return nil, p.press(ctx, t, keysOf(a))
		}
	}
	if a.Target == nil {
		return nil, &Unready{Reason: NoTarget}
	}
	return p.operate(ctx, t, a)
}

// operate finds the target and performs the act once the target can be operated. A page may change
// between any two looks: a target that is gone or was redrawn is found again, as long as the act
// has not begun.
func (p *Player) operate(ctx context.Context, t *tab, a Act) (*find.Found, error) {
	do, ok := deeds[a.Verb]
	if !ok {
		return nil, &Unready{Reason: Unknown, What: string(a.Verb)}
	}
	var last error
	wait := p.patience()
	for {
		found, err := p.find(ctx, t, find.Want{Target: *a.Target, Verb: a.Verb}, wait)
		if err != nil {
			var missing *find.NotFound
			if last != nil && errors.As(err, &missing) {
				return nil, last // it was there before
			}
			return nil, err
		}
		if a.Found != nil {
			a.Found(ctx)
			a.Found = nil
		}
		h := &hand{p: p.operator, t: t, f: found, a: a}
		if len(a.ItemPaths) > 0 {
			err = h.readItem(ctx)
		}
		if err == nil {
			err = do(p.operator, ctx, h)
		}
		var un *Unready
		if err == nil || !errors.As(err, &un) || !un.passing || !wait.more(ctx, p.reader, t) {
			return found, err
		}
		last = err
	}
}

// deeds are the acts on a target.
var deeds = map[capture.Verb]func(*operator, context.Context, *hand) error{
	capture.Click: (*operator).click, capture.DoubleClick: (*operator).click, capture.RightClick: (*operator).click,
	capture.Type: (*operator).enter, capture.Select: (*operator).pick, capture.Check: (*operator).tick, capture.Uncheck: (*operator).tick,
	capture.Press: (*operator).pressOn, capture.Submit: (*operator).submit, capture.Upload: (*operator).upload, capture.Drag: (*operator).drag,
	capture.Download: (*operator).click,
}

// awaitTab waits for the tab that the act opens.
func (p *Player) awaitTab(ctx context.Context) error {
	err := p.until(ctx, p.o.Patience, func() bool { return p.act.opened != nil })
	if err != nil {
		return &Unready{Reason: NoTab}
	}
	return p.rest(ctx)
}

// goTo goes to an address, back, forward, or loads the page again.
func (p *Player) goTo(ctx context.Context, t *tab, a Act) error {
	switch a.Keys {
	case "Reload":
		return p.leave(ctx, t, page.CommandReload, page.ReloadParams{})
	case "History", "Back", "Forward":
		return p.travel(ctx, t, a)
	}
	return p.navigate(ctx, t, a.URL)
}

// settleDialog answers a dialog that the last act left open, before a new act begins.
func (p *Player) settleDialog(a Act) (answered bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.tabs {
		if t.dialog == nil {
			continue
		}
		t.dialog.at = len(p.act.dialogs)
		if a.Verb == capture.Dialog && a.Dialog != "" && !answered {
			p.answer(t, a.Dialog, a.Value)
			answered = true
		} else {
			p.answer(t, dismissed, "")
		}
	}
	return answered
}

// begin starts a new record of what happens.
func (p *Player) begin(a Act) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.act = &doing{since: time.Now(), answer: a.Dialog, text: a.Value, blocked: len(p.blocked), further: a.Further}
	if a.Holds != nil && a.Held != nil {
		p.act.delay = &delay{wants: a.Holds, read: a.Held}
	}
	if len([]rune(a.Value)) >= leastHidden {
		p.typed = append(p.typed, a.Value)
	}
}
