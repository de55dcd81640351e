package rehearse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// What leads from month to month of a calendar, or from page to page of a list, is used until what comes next is in sight.

// mostTurns is how often at most, unless it was shown more often.
const mostTurns = 36

// turnsFor is the step for whose sake a step turns pages; nil when it is done as often as it was shown.
func (p *play) turnsFor(s workflow.Step) *workflow.Step {
	steps := p.req.Draft.Graph.Steps
	i := slices.IndexFunc(steps, func(o workflow.Step) bool { return o.StepID == s.StepID })
	if i < 0 || !p.begun {
		return nil
	}
	aim := page.AimOf(steps, i)
	if aim == nil || len(p.supply.lacks(aim.Target.Name+aim.Target.Text, p.supply.known)) > 0 {
		return nil
	}
	if bareDay.MatchString(p.supply.text(aim.Target.Name)) && p.month(*aim) == "" {
		return nil // every month has that day
	}
	return aim
}

var bareDay = lazyre.New(`^\s*\d{1,2}\s*$`)

// month is the month, as calendars call it, of the date whose day a step picks; "" for any other step.
func (p *play) month(s workflow.Step) string {
	for _, q := range p.supply.params {
		base, part, _ := strings.Cut(q.ParamID, ".")
		if part != "day" || s.Value != "{"+q.Name+"}" {
			continue
		}
		long, _ := workflow.Part(capture.KindDate, p.supply.bindings[p.supply.name(base)], "month_long")
		return long
	}
	return ""
}

// turnTo turns a calendar to the month of a day that is picked where the demonstration had no need to.
func (p *play) turnTo(ctx context.Context, s workflow.Step, sc *scene) error {
	month := p.month(s)
	if month == "" || !p.begun {
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
		way := workflow.Step{StepID: s.StepID, Surface: s.Surface, Verb: capture.Click, Page: s.Page, Target: &capture.Target{Role: "button", Name: name}}
		if has, err := p.browser.Has(ctx, way.Target); err == nil && has {
			_, err := p.turn(ctx, way, s, sc)
			return err
		}
	}
	return nil
}

// turn performs such a step.
func (p *play) turn(ctx context.Context, s, aim workflow.Step, sc *scene) (string, error) {
	a, err := p.act(s)
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
		missing := &halt{StepFailed, CodeTargetMissing, fmt.Sprintf("expected %s; %q was used %d times and it is not there", wanted, orThe(s.Target.Name, s.Target.Text), n)}
		if n == limit || ended {
			return "", missing
		}
		if p.acts++; n > 0 && p.acts > p.policy.Limit() {
			return "", &halt{StepFailed, CodePolicyViolation, fmt.Sprintf("the policy allows %d actions", p.policy.Limit())}
		}
		before, err := p.browser.Read(ctx)
		if err != nil {
			return "", err
		}
		p.guard.using(p.says(s)...)
		blocked := p.guard.count()
		if sc.out, err = p.browser.Do(ctx, a); err != nil {
			if why := p.because(err, p.guard.since(blocked), s); ctx.Err() != nil || why != err {
				return "", why
			}
			ended = true // there is no further page
			continue
		}
		ended = !p.turned(ctx, aim, month, before)
	}
}

// turned waits until the page shows something else than before; false when it stays as it was.
func (p *play) turned(ctx context.Context, aim workflow.Step, month string, before Page) bool {
	limited, cancel := context.WithTimeout(ctx, arrivalTime)
	defer cancel()
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	for {
		now, err := p.browser.Read(limited)
		if err == nil && (now.Text != before.Text || now.State.URL != before.State.URL) {
			p.saw(now.State)
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

// inSight reports whether what a step is about is there; of a day, whether its month is shown. shown are the months that are.
func (p *play) inSight(ctx context.Context, aim workflow.Step, month string) (seen bool, shown []time.Time, err error) {
	if month != "" {
		page, err := p.browser.Read(ctx)
		if err != nil {
			return false, nil, err
		}
		shown = monthsIn(page.Text)
		want, _ := time.Parse("January 2006", month)
		if !slices.Contains(shown, want) {
			return false, shown, nil
		}
	}
	seen, err = p.browser.Has(ctx, p.aim(aim.Target))
	return seen, shown, err
}

// backFrom is the control that leads the other way, where the month that is wanted lies there.
func (p *play) backFrom(ctx context.Context, s workflow.Step, month string, shown []time.Time) *capture.Target {
	want, err := time.Parse("January 2006", month)
	if err != nil || len(shown) == 0 || s.Before == nil || s.After == nil {
		return nil
	}
	forward := !lang.LeadsBack(orThe(s.Target.Name, s.Target.Text))
	behind := !slices.ContainsFunc(shown, func(m time.Time) bool { return !m.After(want) })
	ahead := !slices.ContainsFunc(shown, func(m time.Time) bool { return !m.Before(want) })
	if forward && !behind || !forward && !ahead {
		return nil
	}
	return p.otherWay(ctx, s)
}

// otherWay is the control that leads the other way, nil when there is none.
func (p *play) otherWay(ctx context.Context, s workflow.Step) *capture.Target {
	other := page.Back(orThe(s.Target.Name, s.Target.Text))
	if other == "" {
		return nil
	}
	t := *p.aim(s.Target)
	t.Name, t.Label, t.Text, t.Href, t.Locators = other, "", "", "", nil
	if has, err := p.browser.Has(ctx, &t); err != nil || !has {
		return nil
	}
	return &t
}

var monthForm = lazyre.New(`(?i)\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,?\s*((?:19|20)\d\d)\b`)

// monthsIn are the months of a year that a text names.
func monthsIn(text string) (out []time.Time) {
	for _, m := range monthForm.FindAllStringSubmatch(text, -1) {
		if t, err := time.Parse("Jan 2006", strings.ToUpper(m[1][:1])+strings.ToLower(m[1][1:3])+" "+m[2]); err == nil {
			out = append(out, t)
		}
	}
	for _, m := range yearFirst.FindAllStringSubmatch(text, -1) {
		out = append(out, monthsIn(m[2]+" "+m[1])...)
	}
	return out
}

var yearFirst = lazyre.New(`\b((?:19|20)\d\d),?\s*(\pL{3,9})\b`)

// aimWords are what a step is about, as its input is called.
func aimWords(aim workflow.Step, month string) string {
	if month != "" {
		return "the month of the date"
	}
	return fmt.Sprintf("%s %q", orThe(aim.Target.Role, "entry"), orThe(aim.Target.Name, aim.Value))
}

// pickedDay notes the date of a day that was picked from a calendar, as if it had been entered.
func (p *play) pickedDay(s workflow.Step) {
	for _, q := range p.supply.params {
		if base, part, _ := strings.Cut(q.ParamID, "."); part == "day" && s.Value == "{"+q.Name+"}" {
			name := p.supply.name(base)
			p.entered = append(p.entered, entry{label: strings.ReplaceAll(name, "_", " "), value: p.supply.bindings[name], address: p.state.URL})
		}
	}
}
