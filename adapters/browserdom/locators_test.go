//go:build unix

package browserdom

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"showhow/capture"
)

func locator(o capture.Observation, by string) (l capture.Locator) {
	for _, l := range o.Target.Locators {
		if l.By == by {
			return l
		}
	}
	return l
}

// Elements with the same name are distinguished by their place, and every count says how ambiguous a locator alone
// would be.
func TestSameNamesAreToldApart(t *testing.T) {
	var forms, rows strings.Builder
	for _, name := range []string{"Billing", "Shipping"} {
		fmt.Fprintf(&forms,
			`<form aria-label=%q onsubmit="event.preventDefault()"><label>Street <input name=%s></label><button>Save</button></form>`, name, name)
	}
	for i := range 3 {
		fmt.Fprintf(&rows, `<tr><td>A-%d<td><button>Edit</button> <button>Edit</button>`, i)
	}
	srv, host := site(t, map[string]string{
		"/": forms.String() + `<table>` + rows.String() + `</table><button hidden>Save</button><button data-testid="new one">New</button>
		<style>nav ul ul{display:none}nav li:hover ul{display:block}</style><nav><ul><li><a href="#p">Products</a><ul><li><a href="#q">` +
			`Pricing</a></ul><li><a href="#s">Services</a><ul><li><a href="#t">Pricing</a></ul></ul></nav>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("form:nth-of-type(2) button")
	w.find(capture.Click, 1) // the page has had the time to count
	p.write("[name=Shipping]", "Main St")
	p.click("tr:nth-child(2) td button:nth-of-type(2)")
	p.click("[data-testid]")
	x, y := p.at("nav > ul > li:nth-child(2)")
	p.move(x, y, 0)
	p.click("[href='#t']")
	save, typed, edit, fresh, pricing := w.find(capture.Click, 1), w.find(capture.Type, 1), w.find(capture.Click, 3), w.find(capture.Click,
		4), w.find(capture.Click, 5)
	for _, c := range []struct {
		o       capture.Observation
		by      string
		value   string
		matches int
	}{
		{save, "role", "Save", 2},
		{save, "structure", `form "Shipping" > button "Save"`, 1},
		{typed, "label", "Street", 2},
		{typed, "structure", `form "Shipping" > textbox "Street"`, 1},
		{edit, "role", "Edit", 6},
		{edit, "structure", `row[2] > button[2]`, 1},
		{fresh, "testid", "new one", 1},
		{pricing, "structure", `menu "Services" > link "Pricing"`, 1},
	} {
		if l := locator(c.o, c.by); l.Value != c.value || l.Matches != c.matches {
			t.Errorf("%s of %q: %+v, want %q found %d times; all %+v", c.by, c.o.Target.Name, l, c.value, c.matches, c.o.Target.Locators)
		}
	}
	if l := pricing.Target.Landmark; l == nil || l.Role != "menu" || l.Name != "Services" {
		t.Errorf("the menu that opened under the pointer: %+v", l)
	}
}

// On a large page the exact counts follow in idle time, with their own timestamp.
func TestLargePagesAreCountedInIdleTime(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Large</h1><div id=d></div><script>let h="";for(let i=0;i<1500;i++)h+="<p><label>` +
		`Amount <input></label><a href=#x>Go "+i%10+"</a></p>";d.innerHTML=h</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("a")
	o := w.find(capture.Click, 1)
	if l := locator(o, "role"); l.Value != "Go 0" || l.Matches != 150 {
		t.Errorf("%+v", l)
	}
	if at, err := time.Parse(time.RFC3339Nano, o.Target.CountedAt); err != nil || at.Before(o.OccurredAt) ||
		at.Sub(o.OccurredAt) > 10*time.Second {
		t.Errorf("counted at %q, clicked at %v: %v", o.Target.CountedAt, o.OccurredAt, err)
	}
}
