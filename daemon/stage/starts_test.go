package stage

import (
	"slices"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/daemon/rehearse"
)

// A form in which something new begins holds the same whenever it is opened: that it holds it again does not contradict what was done. A
// form that holds what is stored does.
func TestFormsThatStartAnew(t *testing.T) {
	t.Parallel()
	stepper := func(n string) string {
		return `<div class=many><button id=less>-</button><input id=n type=number aria-label=Pieces value=` + n + `><button id=more>+</button>` +
			`</div><button id=go>Order</button><script>more.onclick = () => n.value++; less.onclick = () => n.value--; ` +
			`go.onclick = () => tell(n.value)</script>`
	}
	field := func(attrs string) func(string) string {
		return func(held string) string {
			return `<p><label>How much <input id=n ` + attrs + ` value="` + held + `"></label></p><button id=go>Order</button>` +
				`<script>go.onclick = () => tell(n.value)</script>`
		}
	}
	press := func(n int) func(p *person.Person) {
		return func(p *person.Person) {
			for range n {
				p.Click("drawing", "#more")
			}
		}
	}
	write := func(value string) func(p *person.Person) {
		return func(p *person.Person) {
			p.Click("drawing", "#n")
			if p.Err == nil {
				p.Err = p.Tab.SelectAll(t.Context())
			}
			p.EnterAt(value)
		}
	}
	for name, c := range map[string]struct {
		draw   func(held string) string
		starts string
		shown  []func(p *person.Person)
		value  string
		keeps  bool
		want   rehearse.Overall
	}{
		"a stepper that starts at one": {stepper, "1", []func(*person.Person){press(3), press(5)}, "4", false, rehearse.Partial},
		"shown once":                   {stepper, "1", []func(*person.Person){press(3)}, "6", false, rehearse.Partial},
		"a text that is proposed": {field("type=text"), "a pinch", []func(*person.Person){write("two cups"), write("one spoon")}, "a can",
			false, rehearse.Partial},
		"a number that is kept": {field("type=text"), "12", []func(*person.Person){write("31"), write("44")}, "27", true, rehearse.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			held, forgets := c.starts, false
			page := &small{silent: true, draw: func(_, done []string) string {
				if n := len(done); c.keeps && n > 0 && !forgets {
					held = done[n-1]
				}
				return c.draw(held)
			}}
			s := newShowing(t, page)
			s.in.Goal = "Order it"
			for _, show := range c.shown {
				page.turn()
				var last time.Time
				s.show(func(p *person.Person) {
					p.Open("/")
					show(p)
					p.Click("drawing", "#go")
					last = p.Pressed
					p.See("Done so far: 1")
					if c.keeps {
						p.Open("/")
					}
				}, func(seen []adaptertest.Seen) bool {
					return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.After != nil && !o.OccurredAt.Before(last) })
				})
			}
			out := s.compiled()
			values := map[string]string{}
			for _, in := range out.Graph.Params {
				if in.Role != "constant" {
					values[in.Name] = c.value
				}
			}
			page.turn()
			forgets = true
			res := s.rehearsed(out, values)
			if page.did() != c.value || res.Overall != c.want {
				t.Errorf("%s, and it did %q", res.Overall, page.did())
			}
		})
	}
}
