package perform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// turner turns pages of lists and months of calendars until a step's target is in sight.
type turner struct {
	*job
	tab *tab
}

// Controls that lead from month to month of a calendar, or from page to page of a list, are used until the next step's
// target is in sight.

// mostTurns bounds the turns, unless more were demonstrated.
const mostTurns = 36

// turnsFor is the step whose target a step turns pages for; nil when it is done as often as demonstrated.
func (p *turner) turnsFor(s workflow.Step) *workflow.Step {
	steps := p.Req.Draft.Graph.Steps
	i := slices.IndexFunc(steps, func(o workflow.Step) bool { return o.StepID == s.StepID })
	if i < 0 || !p.tab.begun {
		return nil
	}
	aim := page.TurnedFor(steps, i)
	if aim == nil || len(p.supply.Lacks(aim.Target.Name+aim.Target.Text, p.supply.Known)) > 0 {
		return nil
	}
	if bareDay.MatchString(p.supply.Text(aim.Target.Name)) && p.month(*aim) == "" {
		return nil // every month has that day
	}
	return aim
}

var bareDay = lazyre.New(`^\s*\d{1,2}\s*$`)

// turnTo turns a calendar to the month of a picked day where the demonstration did not need to.
func (p *turner) turnTo(ctx context.Context, s workflow.Step, sc *check.Scene) error {
	month := p.month(s)
	if month == "" || !p.tab.begun {
		return nil
	}
	seen, shown, err := p.inSight(ctx, s, month)
	if err != nil || seen || len(shown) == 0 {
		return err
	}
	want, _ := time.Parse("January 2006", month)
	if slices.Contains(shown, want) {
		return nil // it is not the month that is missing
	}
	names := []string{"Next month", "Previous month"}
	if !slices.ContainsFunc(shown, func(m time.Time) bool { return m.Before(want) }) {
		slices.Reverse(names)
	}
	for _, name := range names {
		way := workflow.Step{StepID: s.StepID, Surface: s.Surface, Verb: capture.Click, Page: s.Page,
			Target: &capture.Target{Role: "button", Name: name}}
		if has, err := p.tab.browser.Has(ctx, way.Target); err == nil && has {
			_, err := p.turn(ctx, way, s, sc)
			return err
		}
	}
	return nil
}

// turn performs a step that turns pages.
func (p *turner) turn(ctx context.Context, s, aim workflow.Step, sc *check.Scene) (string, error) {
	a, err := p.tab.act(s)
	if err != nil {
		return "", err
	}
	month := p.month(aim)
	wanted := aimWords(aim, month)
	limit, back, ended := max(mostTurns, 4*s.Times), false, false
	for n := 0; ; n++ {
		seen, shown, err := p.inSight(ctx, aim, month)
		if err != nil {
			return "", err
		}
		if seen {
			return fmt.Sprintf("%d times", n), nil
		}
		if way := p.backFrom(ctx, s, month, shown); way != nil && !back {
			a.Target, back = way, true
		}
		if ended && !back { // it may lie behind where the work began
			if way := p.otherWay(ctx, s); way != nil {
				a.Target, back, ended = way, true, false
			}
		}
		missing := &halt{record.StepFailed, record.CodeTargetMissing,
			fmt.Sprintf("expected %s; %q was used %d times and it is not there", wanted, cmp.Or(s.Target.Name, s.Target.Text), n)}
		if n == limit || ended {
			return "", missing
		}
		if p.acts++; n > 0 && p.acts > p.policy.Limit() {
			return "", &halt{record.StepFailed, record.CodePolicyViolation, fmt.Sprintf("the policy allows %d actions", p.policy.Limit())}
		}
		before, err := p.tab.browser.Read(ctx)
		if err != nil {
			return "", err
		}
		p.guard.UseControl(p.says(s)...)
		blocked := p.guard.BlockedCount()
		if sc.Out, err = p.tab.browser.Do(ctx, a); err != nil {
			if why := p.tab.because(err, p.guard.BlockedSince(blocked), s); ctx.Err() != nil || why != err {
				return "", why
			}
			ended = true // there is no further page
			continue
		}
		ended = !p.turned(ctx, aim, month, before)
	}
}

// turned waits until the page changes; false when it does not.
func (p *turner) turned(ctx context.Context, aim workflow.Step, month string, before port.Page) bool {
	limited, cancel := context.WithTimeout(ctx, arrivalTime)
	defer cancel()
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	for {
		now, err := p.tab.browser.Read(limited)
		if err == nil && (now.Text != before.Text || now.State.URL != before.State.URL) {
			p.tab.saw(now.State)
			return true
		}
		if seen, _, err := p.inSight(limited, aim, month); err == nil && seen {
			return true
		}
		select {
		case <-limited.Done():
			return false
		case <-tick.C:
		}
	}
}

// inSight reports whether a step's target is there; for a day, whether its month is shown. shown are the months that
// are.
func (p *turner) inSight(ctx context.Context, aim workflow.Step, month string) (seen bool, shown []time.Time, err error) {
	if month != "" {
		page, err := p.tab.browser.Read(ctx)
		if err != nil {
			return false, nil, err
		}
		shown = lang.MonthsIn(page.Text)
		want, _ := time.Parse("January 2006", month)
		if !slices.Contains(shown, want) {
			return false, shown, nil
		}
	}
	if seen, err = p.tab.browser.Has(ctx, p.aim(aim.Target)); err != nil || !seen {
		return false, shown, err
	}
	seen, err = p.headed(ctx, aim.Target.Landmark)
	return seen, shown, err
}

// headed reports whether the page shows the heading under which a step's target stands, if an input names it: the control itself may be
// under every heading.
func (p *turner) headed(ctx context.Context, l *capture.Landmark) (bool, error) {
	if l == nil || l.Role != "heading" || !workflow.InputForm.MatchString(l.Name) {
		return true, nil
	}
	now, err := p.tab.browser.Read(ctx)
	if err != nil {
		return false, err
	}
	pattern := p.supply.Pattern(l.Name)
	return slices.ContainsFunc(now.State.Headings, pattern.Is), nil
}

// backFrom is the control in the other direction, if the wanted month lies there.
func (p *turner) backFrom(ctx context.Context, s workflow.Step, month string, shown []time.Time) *capture.Target {
	want, err := time.Parse("January 2006", month)
	if err != nil || len(shown) == 0 || s.Before == nil || s.After == nil {
		return nil
	}
	forward := !lang.LeadsBack(cmp.Or(s.Target.Name, s.Target.Text))
	behind := !slices.ContainsFunc(shown, func(m time.Time) bool { return !m.After(want) })
	ahead := !slices.ContainsFunc(shown, func(m time.Time) bool { return !m.Before(want) })
	if forward && !behind || !forward && !ahead {
		return nil
	}
	return p.otherWay(ctx, s)
}

// otherWay is the control in the other direction, nil when there is none.
func (p *turner) otherWay(ctx context.Context, s workflow.Step) *capture.Target {
	other := page.OppositeName(cmp.Or(s.Target.Name, s.Target.Text))
	if other == "" {
		return nil
	}
	t := *p.aim(s.Target)
	t.Name, t.Label, t.Text, t.Href, t.Locators = other, "", "", "", nil
	if has, err := p.tab.browser.Has(ctx, &t); err != nil || !has {
		return nil
	}
	return &t
}

// aimWords names a step's target by its input.
func aimWords(aim workflow.Step, month string) string {
	if month != "" {
		return "the month of the date"
	}
	return fmt.Sprintf("%s %q", cmp.Or(aim.Target.Role, "entry"), cmp.Or(aim.Target.Name, aim.Value))
}
