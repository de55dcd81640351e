package stage

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"testing"

	"showhow/bench/corpus/person"
)

// losses are pages on which something is lost of what was entered, or of what was there.
var losses = map[string]seeming{
	// What is to be changed is taken away.
	"an edit that deletes": {goal: "Rename a thing", last: "Save", values: map[string]string{"": "Birch", "name": "Maple wood"},
		look: "Birch", want: "Maple wood", page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			m := r.FormValue("m")
			switch {
			case r.Method == http.MethodPost:
				l.kept[m] = "-"
				l.keep(m, r.FormValue("n"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
			case r.URL.Path == "/edit":
				head(w, "Edit", "")
				fmt.Fprintf(w, `<form method=post><input type=hidden name=m value="%[1]s"><label>Name <input name=n value="%[1]s"></label> `+
					`<button>Save</button></form>`, html.EscapeString(m))
			default:
				head(w, "Things", map[bool]string{true: "The thing was saved."}[r.FormValue("done") != ""])
				fmt.Fprint(w, `<table><thead><tr><th>Thing<th>Deed</tr></thead><tbody>`)
				for _, n := range []string{"Oak", "Pine", "Larch", "Birch", "Willow"} {
					if is := l.kept[n]; is == "" {
						fmt.Fprintf(w, `<tr><td>%[1]s<td><a href="/edit?m=%[1]s">Edit</a></tr>`, n)
					} else if is != "-" {
						fmt.Fprintf(w, `<tr><td>%[1]s<td><a href="/edit?m=%[1]s">Edit</a></tr>`, is)
					}
				}
				fmt.Fprint(w, `</table>`)
			}
		}, show: func(p *person.Person) {
			p.Open("/")
			p.ClickIn("Pine", "link", "Edit")
			p.Enter("Name", "Cedar wood")
			p.Click("button", "Save")
			p.See("The thing was saved.")
		}},
	// One of several entries is forgotten: the list shows the others, and the page of what is new does not show it.
	"a note that is dropped": {goal: "Add a topic", last: "Add", values: map[string]string{"": "Maple wood", "note": "Ask the saw mill first"},
		look: "note", want: "Ask the saw mill first", page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodPost:
				l.kept["topic"] = r.FormValue("t")
				l.keep("note", r.FormValue("n"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
			case r.URL.Path == "/topic":
				head(w, r.FormValue("t"), "")
				fmt.Fprintf(w, `<p>%s</p><p>Written by somebody.</p><p><a href="/">All topics</a></p>`, html.EscapeString(l.kept["note"]))
			default:
				head(w, "Topics", map[bool]string{true: "The topic was added."}[r.FormValue("done") != ""])
				fmt.Fprint(w, `<form method=post><p><label>Topic <input name=t></label></p><p><label>Note <textarea name=n></textarea></label></p>`+
					`<button>Add</button></form><ul>`)
				for _, n := range []string{"Oak wood", "Pine wood", l.kept["topic"]} {
					if n != "" {
						fmt.Fprintf(w, `<li><a href="/topic?t=%s">%s</a>`, url.QueryEscape(n), html.EscapeString(n))
					}
				}
				fmt.Fprint(w, `</ul>`)
			}
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Topic", "Cedar wood")
			p.Enter("Note", "Smells of summer")
			p.Click("button", "Add")
			p.See("The topic was added.")
		}},
	// What is asked for is done, and another thing goes.
	"another one is lost": {goal: "Mark a thing as sold", last: "Sold", values: map[string]string{"": "Birch"}, look: "Oak", want: "",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			all := []string{"Elm", "Oak", "Pine", "Larch", "Birch", "Willow"}
			if r.Method == http.MethodPost {
				l.kept[r.FormValue("m")] = "sold"
				if l.lies {
					l.kept["Oak"] = "gone"
				}
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			head(w, "Things", map[bool]string{true: "The thing was marked as sold."}[r.FormValue("done") != ""])
			fmt.Fprint(w, `<table><thead><tr><th>Thing<th>State<th>Deed</tr></thead><tbody>`)
			for _, n := range all {
				if l.kept[n] != "gone" {
					fmt.Fprintf(w, `<tr><td>%[1]s<td>%[2]s<td><form method=post><input type=hidden name=m value="%[1]s"><button>Sold</button>`+
						`</form></tr>`, n, map[bool]string{true: "Sold", false: "On offer"}[l.kept[n] != ""])
				}
			}
			fmt.Fprint(w, `</table>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.ClickIn("Pine", "button", "Sold")
			p.See("The thing was marked as sold.")
		}},
	// A form has its unsent text again.
	"a draft": {goal: "Add a remark", last: "Add", values: map[string]string{"": "Maple is out of stock"}, look: "remark",
		want: "Maple is out of stock", page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep("remark", r.FormValue("v"))
				l.kept["draft"] = r.FormValue("v")
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			draft := l.kept["draft"]
			if l.kept["remark"] != "" {
				draft = ""
			}
			head(w, "Remarks", map[bool]string{true: "Thank you for the remark."}[r.FormValue("done") != ""])
			fmt.Fprintf(w, `<form method=post><label>Remark <textarea name=v>%s</textarea></label> <button>Add</button></form>`,
				html.EscapeString(draft))
			for _, n := range []string{"Oak is heavy", l.kept["remark"]} {
				fmt.Fprintf(w, `<p>%s</p>`, html.EscapeString(n))
			}
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Remark", "Cedar smells good")
			p.Click("button", "Add")
			p.See("Thank you for the remark.")
		}},
}

// What was entered is partly lost, or the thing that was to be changed is.
func TestWhatIsLostOfAnEntry(t *testing.T) {
	t.Parallel()
	seem(t, "an edit that deletes", "a note that is dropped")
}

// Another thing is lost, or an unsent text is shown where it was written.
func TestWhatIsLostBesides(t *testing.T) {
	t.Parallel()
	seem(t, "another one is lost", "a draft")
}
