//go:build unix

package browserdom

import (
	"testing"

	"showhow/capture"
)

const orders = `<h1>Orders</h1>
<nav aria-label="Main"><a href="/about">About</a></nav>
<form aria-label="Search orders" action="/found"><label>Customer <input name=q></label>
<label>Status <select name=status><option>Any<option>Open<option>Shipped</select></label>
<label><input type=checkbox name=late> Late only</label><button>Search</button></form>
<button id=plus onclick="document.querySelector('#n').textContent=++window.n||(window.n=1)">Add one</button> <p role=status id=n></p>
<table><caption>Recent</caption><thead><tr><th>Order<th>Total</thead><tbody>
<tr><td><a href="/order/A-1042">A-1042</a><td>10<td><button>Edit</button></tr><tr><td><a href="/order/A-1043">A-1043</a><td>20<td>` +
	`<button>Edit</button></tr></table>
<a id=csv href="/orders.csv">Export</a>`

func TestTheOrderDesk(t *testing.T) {
	srv, host := site(t, map[string]string{"/": orders, "/found": "<h1>Found</h1>", "/order/A-1042": "<h1>Order</h1>"})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	opened := w.find(capture.NewTab, 1)
	if opened.After == nil || opened.After.Headings[0] != "Orders" || opened.Page.Tab == "" {
		t.Errorf("new tab: %+v", opened)
	}
	p.click("#plus")
	click := w.find(capture.Click, 1)
	if click.Target.Role != "button" || click.Target.Name != "Add one" || !click.Changed || click.After.Alerts[0] != "1" {
		t.Errorf("click: %+v %+v after %+v", click, click.Target, click.After)
	}
	p.write("[name=q]", "Miller")
	p.click("[name=late]")
	typed, check := w.find(capture.Type, 1), w.find(capture.Check, 1)
	if typed.Value.Text != "Miller" || typed.Target.Label != "Customer" || typed.Target.Landmark.Name != "Search orders" {
		t.Errorf("type: %+v %+v", typed.Value, typed.Target)
	}
	if check.Target.Role != "checkbox" || check.Target.Name != "Late only" || !check.Changed {
		t.Errorf("check: %+v", check.Target)
	}
	p.click("form button")
	search := w.find(capture.Click, 3)
	if search.Target.Name != "Search" || search.After == nil || search.After.Headings[0] != "Found" || !search.Changed {
		t.Errorf("submit: %+v after %+v", search.Target, search.After)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Click, capture.Type, capture.Check, capture.Click)
}
