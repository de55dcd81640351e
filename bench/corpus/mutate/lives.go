package mutate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"showhow/browser/find"
	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// Lived is the result of Lives.
type Lived struct {
	Broken    int // abilities one of whose controls left the page
	Degraded  int // of them, degraded before the next day's look
	Withdrawn int // of them, quarantined at last
	Healed    int // of those, back after the page was as before
	Stuck     int // of those, still withdrawn although the page was as before for two days

	Changed int // abilities whose page changed, while their controls stayed
	Wronged int // of them, quarantined
	Alarmed int // of them, degraded or quarantined

	DegradedAfter  []float64 // minutes of the world's time from the first failed look
	WithdrawnAfter []float64 // hours of it
	HealedAfter    []float64 // hours from the first good look

	Misses []Miss // the controls of changed pages that a look missed
}

// lifeTime is how long a broken page stays so, and how long it is looked at afterwards.
const lifeTime = 48 * time.Hour

// harmless are the mutations under which the controls stay: every one that is no trap.
func harmless() []string {
	return append([]string{None}, slices.DeleteFunc(slices.Clone(Kinds), trap)...)
}

// Lives follows abilities through breaks and changes: each acts on the controls of a stored page in Chromium, is looked at when
// the code of canaries says, and fares as the code of health decides. Of every two cases one loses a control, in turn each of
// the page's, and gets it back later; the other's page changes and keeps them. Pages that are held out come first.
func Lives(ctx context.Context, o Options, cases int) (Lived, error) {
	var out Lived
	m, err := begin(ctx, o)
	if err != nil {
		return out, err
	}
	defer m.close()
	kinds := harmless()
	first := int(m.o.Seed%140) * 2                                             // so many pairs of a page and a change there are
	for n := first; out.Broken+out.Changed < cases && n < first+4*cases; n++ { // a page that a kind does not change is no case
		p := m.o.Pages[n/2%len(m.o.Pages)]
		if err := m.life(ctx, p, n, kinds[n/2%len(kinds)], &out); err != nil {
			return out, fmt.Errorf("page %s: %w", p.Name, err)
		}
	}
	return out, nil
}

// life is one case.
func (m *measurement) life(ctx context.Context, p Page, n int, kind string, out *Lived) error {
	if err := m.open(ctx, p); err != nil {
		return err
	}
	wants, err := m.describe(ctx, p)
	if err != nil {
		return err
	}
	l := &life{m: m, page: p, wants: wants, now: clock.At(time.Date(2026, 1, 5, 3, 0, 0, 0, time.UTC))}
	l.record = canary.Record{Consent: canary.Consent{EveryHours: 24}, NextAt: l.now}
	if _, err := l.look(ctx, None, 0); err != nil { // it works on the day it was learnt
		return err
	}
	if l.state.Status != health.Healthy {
		return errors.New("a page as it was is missed")
	}
	if n%2 == 1 {
		return l.changes(ctx, kind, out)
	}
	return l.breaks(ctx, n/2%len(wants), out)
}

// life is one ability on one page, in the world's time.
type life struct {
	m      *measurement
	page   Page
	wants  []find.Want
	now    clock.Time
	state  health.State
	record canary.Record
	missed []Miss
}

// look makes the next look when it is due, on a page that was changed so; false where the page cannot be changed so.
func (l *life) look(ctx context.Context, kind string, at int) (applied bool, err error) {
	if applied, err = l.m.changedBy(ctx, l.page, changeOf(kind, at)); err != nil || !applied {
		return false, err
	}
	sights, err := l.m.sights(ctx, l.wants)
	if err != nil {
		return true, err
	}
	if i := len(sights) - 1; sights[i].Seen == Missing {
		l.missed = append(l.missed, Miss{Showhow, l.page.Name, kind, l.page.Targets[i].Selector, Refused, sights[i].why})
	}
	l.now = l.record.NextAt
	o := OutcomeOf(sights, l.now)
	l.state = l.state.Fold(o)
	l.record = l.record.After(l.now, canary.Look{Outcome: o}, l.state)
	return true, nil
}

// unwell reports whether agents are warned of the ability, or do not see it.
func (l *life) unwell() bool {
	return l.state.Status == health.Degraded || l.state.Status == health.Quarantined
}

// breaks takes one control away, and brings it back.
func (l *life) breaks(ctx context.Context, at int, out *Lived) error {
	out.Broken++
	began := l.record.NextAt
	degraded := false
	for l.state.Status != health.Quarantined && l.record.NextAt.Sub(began.Time) <= lifeTime {
		if ok, err := l.look(ctx, Gone, at); err != nil || !ok {
			return errors.Join(err, fmt.Errorf("nothing is gone: %v", ok))
		}
		if l.unwell() && !degraded {
			degraded = true
			if after := l.now.Sub(began.Time); after < 24*time.Hour {
				out.Degraded++
				out.DegradedAfter = append(out.DegradedAfter, after.Minutes())
			}
		}
	}
	if l.state.Status != health.Quarantined {
		out.Misses = append(out.Misses, Miss{Showhow, l.page.Name, Gone, l.page.Targets[at].Selector, Wrong, "something was taken for it"})
		return nil
	}
	out.Withdrawn++
	out.WithdrawnAfter = append(out.WithdrawnAfter, l.now.Sub(began.Time).Hours())
	back := l.record.NextAt
	for l.state.Status == health.Quarantined && l.record.NextAt.Sub(back.Time) <= lifeTime {
		if _, err := l.look(ctx, None, 0); err != nil {
			return err
		}
	}
	if l.state.Status == health.Quarantined {
		out.Stuck++
		return nil
	}
	out.Healed++
	out.HealedAfter = append(out.HealedAfter, l.now.Sub(back.Time).Hours())
	return nil
}

// changes changes the page and keeps the controls.
func (l *life) changes(ctx context.Context, kind string, out *Lived) error {
	began, alarmed := l.record.NextAt, false
	for looked := false; l.state.Status != health.Quarantined && l.record.NextAt.Sub(began.Time) <= lifeTime; looked = true {
		ok, err := l.look(ctx, kind, 0)
		if err != nil || !ok && kind != None && !looked {
			return err // it changes nothing here
		}
		alarmed = alarmed || l.unwell()
	}
	out.Changed++
	if alarmed {
		out.Alarmed++
		out.Misses = append(out.Misses, l.missed[0])
	}
	if l.state.Status == health.Quarantined {
		out.Wronged++
	}
	return nil
}
