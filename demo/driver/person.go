package driver

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// person performs one plan.
type person struct {
	c       Config
	plan    Plan
	shell   *shell
	report  *reporter
	tab     *tab
	step    string // being done
	file    string // what was downloaded
	watched bool
}

// perform does the whole task. p.step names where it failed.
func (p *person) perform(ctx context.Context, debugURL string) error {
	p.step = "sit down at the browser"
	h, err := sit(ctx, debugURL, p.c)
	if err != nil {
		return err
	}
	defer h.leave()
	if p.tab, err = h.firstTab(ctx); err != nil {
		return err
	}
	for _, s := range p.steps() {
		p.step = s.name
		if err := s.do(ctx); err != nil {
			return err
		}
		p.report.send(Report{Report: "step", Step: s.name})
	}
	return nil
}

type step struct {
	name string
	do   func(context.Context) error
}

func (p *person) steps() []step {
	steps := []step{{"open the order desk", p.openDesk}}
	c := p.plan.Canaries
	if c != nil && c.Password != "" {
		steps = append(steps, step{"log in", p.logIn})
	}
	steps = append(steps,
		step{"search the order", p.search},
		step{"open the order", p.openOrder})
	if c != nil && c.OffSiteURL != "" {
		steps = append(steps, step{"look at another site", p.lookElsewhere})
	}
	steps = append(steps,
		step{"open the edit form", p.openForm},
		step{"change the fields", p.fill})
	if p.plan.Mistake {
		steps = append(steps, step{"submit and be corrected", p.beCorrected})
	}
	steps = append(steps,
		step{"review the changes", p.review},
		step{"confirm the changes", p.confirm},
		step{"download the order", p.download},
		step{"go back to the list", p.backToList},
		step{"go to the download folder", p.enterFolder})
	if c != nil && c.Token != "" {
		steps = append(steps, step{"set a token", p.setToken})
	}
	if c != nil && c.Private != "" {
		steps = append(steps, step{"run a private command", p.runPrivate})
	}
	if len(p.plan.Commands) > 0 {
		steps = append(steps, step{"run the commands", p.runCommands})
	}
	return steps
}

func (p *person) heading(ctx context.Context, want string) error {
	_, err := p.tab.see(ctx, "the heading "+want, func(v view) bool { return v.heading() == want })
	return err
}

func (p *person) openDesk(ctx context.Context) error {
	if err := p.tab.front(ctx); err != nil {
		return err
	}
	var v view
	if p.tab.look(ctx, &v, "page") != nil || !sameHost(v.URL, p.plan.StartURL) || v.heading() != "Orders" {
		if err := p.tab.goTo(ctx, p.plan.StartURL); err != nil {
			return err
		}
	}
	return p.heading(ctx, "Orders")
}

func sameHost(a, b string) bool {
	x, err1 := url.Parse(a)
	y, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && x.Host == y.Host
}

func (p *person) click(ctx context.Context, kind, name, within string) error {
	e, err := p.tab.find(ctx, kind, name, within)
	if err != nil {
		return err
	}
	return p.tab.press(ctx, e, 0.5, 0.5)
}

// enter types text into the field with this label, replacing its content.
func (p *person) enter(ctx context.Context, label, text string) error {
	if err := p.click(ctx, "field", label, ""); err != nil {
		return err
	}
	if err := p.tab.selectAll(ctx); err != nil {
		return err
	}
	if err := p.tab.keys(ctx, text); err != nil {
		return err
	}
	return p.holds(ctx, label, func(e thing) bool { return e.Value == text })
}

// clear empties a field unless it is empty.
func (p *person) clear(ctx context.Context, label string) error {
	e, err := p.tab.find(ctx, "field", label, "")
	if err != nil || e.Value == "" {
		return err
	}
	if err := p.tab.press(ctx, e, 0.5, 0.5); err != nil {
		return err
	}
	if err := p.tab.selectAll(ctx); err != nil {
		return err
	}
	if err := p.tab.keys(ctx, "\b"); err != nil {
		return err
	}
	return p.holds(ctx, label, func(e thing) bool { return e.Value == "" })
}

// holds waits until the field shows what it should.
func (p *person) holds(ctx context.Context, label string, ok func(thing) bool) error {
	return p.tab.until(ctx, "what was entered into "+label, func() bool {
		var e thing
		return p.tab.look(ctx, &e, "field", label) == nil && e.Count > 0 && ok(e)
	})
}

func (p *person) search(ctx context.Context) error {
	if err := p.enter(ctx, "Search orders", p.plan.Search); err != nil {
		return err
	}
	if err := p.click(ctx, "button", "Search", ""); err != nil {
		return err
	}
	_, err := p.tab.see(ctx, "the search's result", func(v view) bool {
		u, err := url.Parse(v.URL)
		return err == nil && u.Query().Get("q") == p.plan.Search
	})
	return err
}

// openOrder opens the order from the list, paging until it is in view.
func (p *person) openOrder(ctx context.Context) error {
	for range 20 {
		var e, next thing
		if err := p.tab.look(ctx, &e, "link", p.plan.OrderID, "table"); err != nil {
			return err
		}
		if e.Count > 0 {
			if err := p.click(ctx, "link", p.plan.OrderID, "table"); err != nil {
				return err
			}
			return p.heading(ctx, "Order "+p.plan.OrderID)
		}
		if err := p.tab.look(ctx, &next, "link", "Next"); err != nil || next.Count == 0 {
			return errors.New("the order is not in the list")
		}
		var before view
		if err := p.tab.look(ctx, &before, "page"); err != nil {
			return err
		}
		if err := p.click(ctx, "link", "Next", ""); err != nil {
			return err
		}
		if _, err := p.tab.see(ctx, "the next page", func(v view) bool { return v.URL != before.URL }); err != nil {
			return err
		}
	}
	return errors.New("the order is not in the list")
}

func (p *person) openForm(ctx context.Context) error {
	if err := p.click(ctx, "link", "Edit order", ""); err != nil {
		return err
	}
	return p.heading(ctx, "Edit order "+p.plan.OrderID)
}

// fill makes the plan's changes; a note to be forgotten is left for later.
func (p *person) fill(ctx context.Context) error {
	if p.plan.Status != "" {
		if err := p.choose(ctx, "Status", p.plan.Status); err != nil {
			return err
		}
	}
	if p.plan.Delivery != "" {
		if err := p.enterDate(ctx, "Delivery date", p.plan.Delivery); err != nil {
			return err
		}
	}
	if p.plan.Quantity > 0 {
		if err := p.enter(ctx, "Quantity", itoa(p.plan.Quantity)); err != nil {
			return err
		}
	}
	if p.plan.Mistake {
		if err := p.clear(ctx, "Note to customer"); err != nil {
			return err
		}
	} else if p.plan.Note != "" {
		if err := p.enter(ctx, "Note to customer", p.plan.Note); err != nil {
			return err
		}
	}
	if !p.plan.Notify {
		return nil
	}
	return p.tick(ctx, "Notify customer")
}

// choose sets a select by keyboard: its label is clicked, then the option's first letters are typed.
func (p *person) choose(ctx context.Context, label, value string) error {
	e, err := p.tab.find(ctx, "field", label, "")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(e.Options, func(o option) bool { return o.Value == value || o.Text == value })
	if i < 0 {
		return errors.New("no such choice in " + label)
	}
	if e.Value == e.Options[i].Value {
		return nil
	}
	if err := p.click(ctx, "label", label, ""); err != nil {
		return err
	}
	if err := p.holds(ctx, label, func(e thing) bool { return e.Focused }); err != nil {
		return err
	}
	if err := p.tab.keys(ctx, e.Options[i].Text); err != nil {
		return err
	}
	return p.holds(ctx, label, func(now thing) bool { return now.Value == e.Options[i].Value })
}

// enterDate types a date part by part, in this browser's order.
func (p *person) enterDate(ctx context.Context, label, iso string) error {
	part := strings.Split(iso, "-")
	if len(part) != 3 {
		return errors.New("the plan's date is none")
	}
	e, err := p.tab.find(ctx, "field", label, "")
	if err != nil {
		return err
	}
	if e.Value == iso {
		return nil
	}
	if err := p.tab.press(ctx, e, 14/e.W, 0.5); err != nil { // on the first part
		return err
	}
	by := map[string]string{"year": part[0], "month": part[1], "day": part[2]}
	text := ""
	for i, name := range e.Date {
		text += by[name]
		if name == "year" && i < len(e.Date)-1 {
			text += "\t" // a year may have more digits: the next part is not reached by itself
		}
	}
	if err := p.tab.keys(ctx, text); err != nil {
		return err
	}
	return p.holds(ctx, label, func(e thing) bool { return e.Value == iso })
}

// tick checks a checkbox unless it is checked.
func (p *person) tick(ctx context.Context, label string) error {
	e, err := p.tab.find(ctx, "field", label, "")
	if err != nil || e.Checked {
		return err
	}
	if err := p.tab.press(ctx, e, 0.5, 0.5); err != nil {
		return err
	}
	return p.holds(ctx, label, func(e thing) bool { return e.Checked })
}

// beCorrected submits without the note, reads the alert, and adds the note.
func (p *person) beCorrected(ctx context.Context) error {
	if err := p.click(ctx, "button", "Review changes", ""); err != nil {
		return err
	}
	if _, err := p.tab.see(ctx, "the alert", func(v view) bool { return len(v.Alerts) > 0 }); err != nil {
		return err
	}
	return p.enter(ctx, "Note to customer", p.plan.Note)
}

func (p *person) review(ctx context.Context) error {
	if err := p.click(ctx, "button", "Review changes", ""); err != nil {
		return err
	}
	return p.heading(ctx, "Confirm changes to order "+p.plan.OrderID)
}

func (p *person) confirm(ctx context.Context) error {
	if err := p.click(ctx, "button", "Confirm changes", ""); err != nil {
		return err
	}
	_, err := p.tab.see(ctx, "the success message", func(v view) bool {
		return v.heading() == "Order "+p.plan.OrderID && len(v.Status) > 0 && strings.Contains(v.Status[0], "was updated")
	})
	return err
}

func (p *person) backToList(ctx context.Context) error {
	if err := p.click(ctx, "link", "Back to orders", ""); err != nil {
		return err
	}
	return p.heading(ctx, "Orders")
}
