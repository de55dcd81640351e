package stage

import (
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/rehearse"
)

// seeming is a page on which something other than the deed shows what the deed would show.
type seeming struct {
	page       func(l *liar, w http.ResponseWriter, r *http.Request)
	goal       string
	show       func(p *person.Person)
	twice      func(p *person.Person) // a second demonstration
	last       string                 // what is operated at the end
	values     map[string]string      // of the run, by a part of an input's name; "" is any other
	look, want string                 // what is kept then, by name
	true       bool                   // it never lies
}

func head(w http.ResponseWriter, title, said string) {
	fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1>%[1]s</h1>`, title)
	if said != "" {
		fmt.Fprintf(w, `<p role=status>%s</p>`, said)
	}
}

var mails = []string{"Oak delivery", "Pine invoice", "Larch question", "Birch order", "Willow offer"}

var seemings = map[string]seeming{
	// Opening a mail marks it as read.
	"opening it leaves a mark": {goal: "Flag a mail", last: "Flag",
		values: map[string]string{"": "Birch order"}, look: "flag Birch order", want: "yes",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep("flag "+r.FormValue("m"), "yes")
				http.Redirect(w, r, "/mail?m="+strings.ReplaceAll(r.FormValue("m"), " ", "+")+"&done=1", http.StatusSeeOther)
				return
			}
			m := r.FormValue("m")
			if r.URL.Path == "/mail" {
				l.kept["read "+m] = "yes"
				said, flag := "", ""
				if r.FormValue("done") != "" {
					said = "The mail was flagged."
				}
				if l.kept["flag "+m] != "" {
					flag = "<p>This one is flagged.</p>"
				}
				head(w, m, said)
				fmt.Fprintf(w, `%s<p>Dear all, about that.</p><form method=post action=/mail>`+
					`<input type=hidden name=m value="%s"><button>Flag</button></form>`, flag, m)
				return
			}
			head(w, "Mail", "")
			fmt.Fprint(w, `<table><thead><tr><th>Subject<th>State<th>Flag</tr></thead><tbody>`)
			for _, m := range mails {
				fmt.Fprintf(w, `<tr><td><a href="/mail?m=%s">%s</a><td>%s<td>%s</tr>`, strings.ReplaceAll(m, " ", "+"), m,
					map[bool]string{true: "read", false: "unread"}[l.kept["read "+m] != ""],
					map[bool]string{true: "flagged", false: "-"}[l.kept["flag "+m] != ""])
			}
			fmt.Fprint(w, `</table>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Click("link", "Pine invoice")
			p.Click("button", "Flag")
			p.See("The mail was flagged.")
		}},
	// What a page proposes is another thing each time.
	"proposals": {goal: "Put a thing on the wish list", last: "Put on wish list",
		values: map[string]string{"": "Birch order"}, look: "wish", want: "Birch order",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			m := r.FormValue("m")
			if r.Method == http.MethodPost {
				l.keep("wish", m)
				http.Redirect(w, r, "/thing?m="+strings.ReplaceAll(m, " ", "+")+"&done=1", http.StatusSeeOther)
				return
			}
			if r.URL.Path == "/thing" {
				said, wish := "", ""
				if r.FormValue("done") != "" {
					said = "It is on your wish list."
				}
				if l.kept["wish"] == m {
					wish = "<dl><dt>Wish list<dd>since today</dl>"
				}
				head(w, m, said)
				var n int
				fmt.Sscan(l.kept["n"], &n)
				l.kept["n"] = fmt.Sprint(n + 1)
				words := []string{"red paint", "long nails", "sharp saw", "warm gloves", "old plane", "thin brush", "hard glue"}
				fmt.Fprintf(w, `%s<form method=post action=/thing><input type=hidden name=m value="%s">`+
					`<button>Put on wish list</button></form><h2>Others bought</h2><ul><li>%s<li>%s<li>%s</ul>`,
					wish, m, words[n%7], words[(n+2)%7], words[(n+3)%7])
				return
			}
			head(w, "Shop", "")
			fmt.Fprint(w, `<ul>`)
			for _, m := range mails {
				fmt.Fprintf(w, `<li><a href="/thing?m=%s">%s</a></li>`, strings.ReplaceAll(m, " ", "+"), m)
			}
			fmt.Fprint(w, `</ul>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Click("link", "Pine invoice")
			p.Click("button", "Put on wish list")
			p.See("It is on your wish list.")
		}, twice: func(p *person.Person) {
			p.Open("/")
			p.Click("link", "Larch question")
			p.Click("button", "Put on wish list")
			p.See("It is on your wish list.")
		}},
	// That it did not work is said at the next load.
	"a late refusal": {goal: "Add a thing", last: "Add", values: map[string]string{"": "Maple wood"}, look: "Maple wood", want: "yes",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep(r.FormValue("v"), "yes")
				l.kept["flash"] = r.FormValue("v")
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			if r.FormValue("done") != "" {
				head(w, "Things", "Thank you, your thing is being added.")
			} else if head(w, "Things", ""); l.kept["flash"] != "" && l.lies {
				fmt.Fprintf(w, `<div class=toast role=alert>%s could not be added: the store is full.`+
					`</div>`, html.EscapeString(l.kept["flash"]))
			}
			fmt.Fprint(w, `<form method=post><label>Name <input name=v></label> <button>Add</button></form><ul><li>Oak wood<li>Pine wood`)
			if l.kept["Maple wood"] != "" {
				fmt.Fprint(w, `<li>Maple wood`)
			}
			fmt.Fprint(w, `</ul>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Name", "Cedar wood")
			p.Click("button", "Add")
			p.See("Thank you")
		}},
	// A short word, and another one is kept.
	"another short word": {goal: "Add a thing", last: "Add", values: map[string]string{"": "Tea"}, look: "Tea", want: "yes",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.kept["x"] = "Yew"
				if !l.lies {
					l.kept["x"] = r.FormValue("v")
				}
				l.keep(r.FormValue("v"), "yes")
				http.Redirect(w, r, "/", http.StatusSeeOther)
				return
			}
			head(w, "Shopping", "")
			fmt.Fprint(w, `<form method=post><label>What <input name=v></label> <button>Add</button></form><ul><li>Oil<li>Ham`)
			if l.kept["x"] != "" {
				fmt.Fprint(w, `<li>`+l.kept["x"])
			}
			fmt.Fprint(w, `</ul>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("What", "Gin")
			p.Click("button", "Add")
			p.See("Gin")
		}},
	// What is only touched goes to the end, which is on another page of the list.
	"a list in pages": {goal: "Delete a thing", last: "Delete", values: map[string]string{"": "Larch"}, look: "gone", want: "Larch",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.kept["touched"] = r.FormValue("m")
				l.keep("gone", r.FormValue("m"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			said := ""
			if r.FormValue("done") != "" {
				said = "It was deleted."
			}
			head(w, "Queue", said)
			all := []string{"Oak", "Pine", "Larch", "Birch", "Willow", "Elm", "Ash", "Lime", "Alder"}
			if m := l.kept["touched"]; m != "" {
				all = slices.DeleteFunc(all, func(s string) bool { return s == m })
				if l.kept["gone"] == "" {
					all = append(all, m)
				}
			}
			page, next := all[:5], `<a href="/?page=2">Next page</a>`
			if r.FormValue("page") == "2" {
				page, next = all[5:], `<a href="/">Previous page</a>`
			}
			fmt.Fprint(w, `<table><thead><tr><th>Thing<th>Deed</tr></thead><tbody>`)
			for _, m := range page {
				fmt.Fprintf(w, `<tr><td>%[1]s<td><form method=post action=/><input type=hidden name=m value="%[1]s">`+
					`<button>Delete</button></form></tr>`, m)
			}
			fmt.Fprint(w, `</table><nav aria-label=Pages>`+next+`</nav>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.ClickIn("Pine", "button", "Delete")
			p.See("It was deleted.")
		}},
	// The page shows the deed at once; its site only notes that somebody was there.
	"only touched": {goal: "Mark an invoice as paid", last: "Mark as paid",
		values: map[string]string{"": "Birch"}, look: "paid", want: "Birch",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.kept["touched"] = r.FormValue("m")
				l.keep("paid", r.FormValue("m"))
				return
			}
			head(w, "Invoices", "")
			fmt.Fprint(w, `<p role=status id=said></p><table><thead><tr><th>Customer<th>State<th>Edited<th></tr></thead><tbody>`)
			for _, m := range []string{"Oak", "Pine", "Larch", "Birch", "Willow"} {
				fmt.Fprintf(w, `<tr><td>%[1]s<td class=s>%[2]s<td>%[3]s<td>`+
					`<button onclick='pay(this, "%[1]s")'>Mark as paid</button></tr>`, m,
					map[bool]string{true: "Paid", false: "Open"}[l.kept["paid"] == m], map[bool]string{true: "just now",
						false: "last year"}[l.kept["touched"] == m])
			}
			fmt.Fprint(w, `</table><script>async function pay(b, m) { await fetch("/", {method: "POST", body: new URLSearchParams({m})});
b.closest("tr").querySelector(".s").textContent = "Paid"; said.textContent = "The invoice was marked as paid" }</script>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.ClickIn("Pine", "button", "Mark as paid")
			p.See("was marked as paid")
		}},
}

// What is kept is something else: another short word, or only that somebody was there.
func TestWhatSeemsKept(t *testing.T) {
	t.Parallel()
	seem(t, "another short word", "only touched")
}

// The list in which a thing stands changes by the way to it, or goes on where the thing is.
func TestListsThatSeemChanged(t *testing.T) {
	t.Parallel()
	seem(t, "opening it leaves a mark", "a list in pages")
}

// The page shows other things each time, or says at the next load that it refused.
func TestPagesThatSeemChanged(t *testing.T) {
	t.Parallel()
	seem(t, "proposals", "a late refusal")
}

// seem has a page's work shown, and rehearses it where it is done and where it only seems so.
func seem(t *testing.T, pages ...string) {
	for _, name := range pages {
		var c seeming
		for _, pages := range []map[string]seeming{seemings, stores, losses, drawn, amounts} {
			if pages[name].page != nil {
				c = pages[name]
			}
		}
		t.Run(name, func(t *testing.T) {
			l := &liar{page: c.page}
			s := newShowing(t, l)
			s.in.Goal = c.goal
			l.reset(false, "", map[string]string{})
			ended := func(seen []adaptertest.Seen) bool {
				return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
					return (o.Verb == capture.Click || o.Verb == capture.Submit) && strings.HasPrefix(o.Target.Name, c.last) && o.After != nil
				})
			}
			s.show(c.show, ended)
			if c.twice != nil {
				l.reset(false, "", map[string]string{})
				s.show(c.twice, ended)
			}
			out := s.compiled()
			values := map[string]string{}
			for _, in := range out.Interpretation.Inputs {
				values[in.Name] = c.values[""]
				for part, v := range c.values {
					if part != "" && strings.Contains(in.Name, part) {
						values[in.Name] = v
					}
				}
			}
			for _, lies := range []bool{false, true} {
				if lies && c.true {
					break
				}
				l.reset(lies, "", map[string]string{})
				res := s.rehearsed(out, values)
				if did := l.has(c.look) == c.want; did == lies {
					t.Errorf("lies %v: kept %q", lies, l.kept)
				}
				if lies == (res.Overall == rehearse.Passed) {
					t.Errorf("lies %v: %s %s", lies, res.Overall, res.Reason)
				}
			}
		})
	}
}
