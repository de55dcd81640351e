package acceptance_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/browser"
	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/daemon/rehearse"
)

// elsewhere is a small program of the web that nobody showed to Showhow, and what really happened in it.
type elsewhere struct {
	mu   sync.Mutex
	did  []string
	deaf bool // it says that all went well, and does nothing
}

func (e *elsewhere) deed(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.deaf {
		e.did = append(e.did, fmt.Sprintf(format, args...))
	}
}

// list is what happened, as the pages show it.
func (e *elsewhere) list() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := "<ul aria-label=Entries>"
	for _, d := range e.did {
		out += "<li>" + html.EscapeString(d) + "</li>"
	}
	return out + "</ul>"
}

func (e *elsewhere) has(what string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Contains(e.did, what)
}

func (e *elsewhere) again(deaf bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.did, e.deaf = nil, deaf
}

// books are what can be looked up.
var books = []string{"Moby Dick", "Middlemarch", "Emma", "Walden"}

func (e *elsewhere) handler() http.Handler {
	m := http.NewServeMux()
	page := func(path, title string, body func(r *http.Request) string) {
		m.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title><h1>%s</h1>%s</html>", title, title, body(r))
		})
	}
	fixed := func(s string) func(*http.Request) string { return func(*http.Request) string { return s } }
	// kept takes a form, and leads to what there is now.
	kept := func(path string, deed func(r *http.Request) string) {
		m.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			_ = r.ParseMultipartForm(1 << 20)
			e.deed("%s", deed(r))
			http.Redirect(w, r, path+"/done", http.StatusSeeOther)
		})
		page("GET "+path+"/done", "Saved", func(*http.Request) string { return "<p role=status>It was saved</p>" + e.list() })
	}

	page("GET /settings", "Settings", fixed(`<form method=post action=/settings>
		<label>Display name <input name=who></label>
		<label for=zone>Time zone</label> <select id=zone name=zone><option value=utc>UTC</option><option value=cet>Central Europe</option>`+
		`<option value=jst>Japan</option></select>
		<label>Starts on <input type=date name=day></label> <label>Seats <input type=number name=seats></label>
		<label>Volume <input type=range name=vol min=0 max=10 value=5></label>
		<label><input type=checkbox name=news value=1> Newsletter</label>
		<fieldset><legend>Speed</legend><label><input type=radio name=speed value=slow> Slow</label><label>`+
		`<input type=radio name=speed value=fast> Fast</label></fieldset>
		<button>Save settings</button></form>`))
	kept("/settings", func(r *http.Request) string {
		f := r.FormValue
		return strings.Join([]string{f("who"), f("zone"), f("day"), f("seats"), f("vol"), f("news"), f("speed")}, "|")
	})

	page("GET /books", "Books", func(r *http.Request) string {
		out := `<form><input type=search name=q aria-label="Find a book"><button>Search</button></form><table><thead><tr><th>Title<th>Act</thead>`
		for i, b := range books {
			if q := r.FormValue("q"); strings.Contains(strings.ToLower(b), strings.ToLower(q)) {
				out += fmt.Sprintf("<tr><td><a href=/books/%d>%s</a><td><a href=/books/%d/lend>Lend</a>", i, b, i)
			}
		}
		return out + "</table>"
	})
	m.HandleFunc("GET /books/{n}/lend", func(w http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Sscan(r.PathValue("n"), &n)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Lend %s</title><h1>Lend %s</h1><form method=post action=/lend>`+
			`<input type=hidden name=book value="%s"><label>Reader <input name=reader></label><button>Confirm loan</button></form>`, books[n],
			books[n], books[n])
	})
	kept("/lend", func(r *http.Request) string { return r.FormValue("book") + " for " + r.FormValue("reader") })

	page("GET /todo", "To do", func(*http.Request) string {
		return `<input id=new placeholder="What is to be done?" onkeydown="if (event.key === 'Enter' && this.value) fetch('/todo', {method: ` +
			`'POST', body: new URLSearchParams({what: this.value})}).then(() => {
			const li = document.createElement('li'); li.textContent = this.value; document.querySelector('ul').append(li); this.value = '' ` +
			`})">` + e.list()
	})
	m.HandleFunc("POST /todo", func(_ http.ResponseWriter, r *http.Request) { e.deed("%s", r.FormValue("what")) })

	page("GET /trip", "Where to", fixed(`<form action=/trip/2><label>City <input name=city></label><button>Next</button></form>`))
	page("GET /trip/2", "When", func(r *http.Request) string {
		return `<form method=post action=/trip><input type=hidden name=city value="` + html.EscapeString(r.FormValue("city")) +
			`"><label>Guest <input name=guest></label><button>Book</button></form>`
	})
	kept("/trip", func(r *http.Request) string { return r.FormValue("guest") + " in " + r.FormValue("city") })

	page("GET /notes", "Notes", func(*http.Request) string {
		return `<button onclick="d.showModal()">New note</button><dialog id=d aria-label="New note"><label>Subject <input id=s></label>` +
			`<div contenteditable role=textbox aria-label=Body id=b style="min-height:2em;border:1px solid"></div>
		<button onclick="fetch('/notes', {method: 'POST', body: new URLSearchParams({s: s.value, b: b.innerText})}).then(() => ` +
			`location.reload())">Keep</button></dialog>` + e.list()
	})
	m.HandleFunc("POST /notes", func(_ http.ResponseWriter, r *http.Request) { e.deed("%s: %s", r.FormValue("s"), r.FormValue("b")) })

	page("GET /frame", "Feedback", fixed(`<iframe name=inner src=/frame/in width=600 height=300></iframe>`))
	page("GET /frame/in", "Your word",
		fixed(`<form method=post action=/word><label>Word <input name=w></label><button>Leave it</button></form>`))
	kept("/word", func(r *http.Request) string { return r.FormValue("w") })

	page("GET /scans", "Scans", fixed(`<form method=post action=/scans enctype=multipart/form-data><label>Scan <input type=file name=f>`+
		`</label><label>Remark <textarea name=r></textarea></label><button>Add scan</button></form>`))
	kept("/scans", func(r *http.Request) string {
		_, h, err := r.FormFile("f")
		if err != nil {
			return "no file"
		}
		return h.Filename + ", " + r.FormValue("r")
	})

	page("GET /order", "Order", fixed(`<form method=post action=/order><label>Customer <input name=who></label><label>`+
		`Level <select name=level><option>Bronze</option><option>Silver</option><option>Gold</option></select></label>
		<label><input type=checkbox name=gift> As a gift</label><button>Send order</button></form>`))
	kept("/order", func(r *http.Request) string {
		return r.FormValue("who") + ", " + r.FormValue("level") + ", " + r.FormValue("gift")
	})

	page("GET /contact", "Contact", fixed(`<form method=post action=/contact><input id=fullName name=who><input id=phone name=phone>
		<div onclick="this.closest('form').requestSubmit()"><button type=button id=go><span>Save entry</span></button></div></form>`))
	kept("/contact", func(r *http.Request) string { return r.FormValue("who") + ", " + r.FormValue("phone") })

	page("GET /people", "People", func(*http.Request) string {
		out := "<ul>"
		for _, who := range []string{"Ada", "Bob", "Cleo"} {
			out += fmt.Sprintf(`<li><b>%s</b> <button onclick="location='/people/%s'">Open</button></li>`, who, who)
		}
		return out + "</ul>"
	})
	m.HandleFunc("GET /people/{who}", func(w http.ResponseWriter, r *http.Request) {
		who := r.PathValue("who")
		e.deed("looked at %s", who)
		fmt.Fprintf(w, `<!doctype html><title>%s</title><h1>Person %s</h1><p>Nothing more is known.`, who, who)
	})
	return m
}

// dt is a recording of Chrome's Recorder; each step is a click, an entry or a key.
func dt(title, address string, steps ...string) string {
	return fmt.Sprintf(`{"title": %q, "steps": [{"type": "setViewport", "width": 1200, "height": 800, "deviceScaleFactor": 1, "isMobile": `+
		`false, "hasTouch": false, "isLandscape": false},
		{"type": "navigate", "url": %q, "assertedEvents": [{"type": "navigation", "url": %q, "title": `+
		`""}]},%s]}`, title, address, address, strings.Join(steps, ","))
}

func dtSel(selectors []string) string {
	var out []string
	for _, s := range selectors {
		out = append(out, fmt.Sprintf("[%q]", s))
	}
	return strings.Join(out, ",")
}

func dtClick(selectors ...string) string {
	return fmt.Sprintf(`{"type": "click", "target": "main", "selectors": [%s], "offsetX": 9, "offsetY": 9}`, dtSel(selectors))
}

func dtLead(to string, selectors ...string) string {
	return fmt.Sprintf(`{"type": "click", "target": "main", "selectors": [%s], "offsetX": 9, "offsetY": 9, "assertedEvents": [{"type": `+
		`"navigation", "url": %q, "title": ""}]}`, dtSel(selectors), to)
}

func dtEnter(value string, selectors ...string) string {
	return dtClick(selectors...) + fmt.Sprintf(`,{"type": "change", "target": "main", "value": %q, "selectors": [%s]}`, value,
		dtSel(selectors))
}

func dtKey(key string) string {
	return fmt.Sprintf(`{"type": "keyDown", "target": "main", "key": %q},{"type": "keyUp", "target": "main", "key": %q}`, key, key)
}

func dtSee(selectors ...string) string {
	return fmt.Sprintf(`{"type": "waitForElement", "target": "main", "selectors": [%s]}`, dtSel(selectors))
}

// pw is one of Playwright's codegen.
func pw(address string, lines ...string) string {
	return strings.Join(append([]string{`{"name":"openPage","url":"about:blank","signals":[],"pageGuid":"page@1"}`,
		fmt.Sprintf(`{"name":"navigate","url":%q,"signals":[],"pageGuid":"page@1"}`, address)}, lines...), "\n")
}

func pwDo(name, selector, more string) string {
	return fmt.Sprintf(`{"name":%q,"selector":%q,"signals":[],"pageGuid":"page@1","modifiers":0,"button":"left"%s}`, name, selector, more)
}

func pwLead(selector, to string) string {
	return fmt.Sprintf(`{"name":"click","selector":%q,"button":"left","clickCount":1,"modifiers":0,"signals":[{"name":"navigation",`+
		`"url":%q}],"pageGuid":"page@1"}`, selector, to)
}

// foreigner is a recording that somebody made of some program, other values, and what is to be there when they were used.
type foreigner struct {
	name    string
	content func(at string) string
	set     map[string]string
	want    string
	looks   bool // nothing is kept: the deed is to look at something
	silent  bool // nothing that a rehearsal can look up tells of it
}

var foreigners = []foreigner{
	{name: "settings.devtools", set: map[string]string{"display_name": "Ada Quill", "time_zone": "jst", "starts_on": "2027-03-04",
		"seats": "7", "volume": "8"}, want: "Ada Quill|jst|2027-03-04|7|8|1|fast",
		content: func(at string) string {
			return dt("Save my settings", at+"/settings",
				dtEnter("Bea", "aria/Display name", "input[name='who']", "xpath///html/body/form/label[1]/input"), dtEnter("cet", "aria/Time zone",
					"#zone", "xpath///*[@id=\"zone\"]", "pierce/#zone"),
				dtEnter("2026-11-05", "aria/Starts on", "label:nth-of-type(3) > input"), dtEnter("4", "aria/Seats", "label:nth-of-type(4) > input"),
				dtEnter("6", "aria/Volume", "label:nth-of-type(5) > input"), dtClick("aria/Newsletter", "label:nth-of-type(6) > input"),
				dtClick("aria/Fast", "fieldset > label:nth-of-type(2) > input"),
				dtLead(at+"/settings/done", "aria/Save settings", "button", "text/Save settings"), dtSee("aria/It was saved[role=\"status\"]"))
		}},
	{name: "books.devtools", set: map[string]string{"search": "Emma", "reader": "Zoe Quill"}, want: "Emma for Zoe Quill",
		content: func(at string) string {
			return dt("Lend a book", at+"/books", dtEnter("Walden", "aria/Find a book", "input"),
				dtLead(at+"/books?q=Walden", "aria/Search[role=\"button\"]", "button"),
				dtLead(at+"/books/3/lend", "aria/Lend[role=\"link\"]", "td:nth-of-type(2) > a"), dtEnter("Bea", "aria/Reader", "input[name='reader']"),
				dtLead(at+"/lend/done", "aria/Confirm loan", "button"), dtSee("aria/Saved[role=\"heading\"]", "h1"))
		}},
	{name: "todo.devtools", set: map[string]string{"what_done": "Feed the cat"}, want: "Feed the cat",
		content: func(at string) string {
			return dt("Add a thing to do", at+"/todo", dtEnter("Buy milk", "aria/What is to be done?", "#new"), dtKey("Enter"))
		}},
	{name: "trip.devtools", set: map[string]string{"city": "Oslo", "guest": "Zoe Quill"}, want: "Zoe Quill in Oslo",
		content: func(at string) string {
			return dt("Book a trip", at+"/trip", dtEnter("Lyon", "aria/City", "input"), dtLead(at+"/trip/2?city=Lyon", "aria/Next", "button"),
				dtEnter("Bea", "aria/Guest", "input:nth-of-type(2)"), dtLead(at+"/trip/done", "aria/Book", "button"))
		}},
	{name: "notes.devtools", set: map[string]string{"subject": "Garden", "body": "Water the roses"}, want: "Garden: Water the roses",
		content: func(at string) string {
			return dt("Write a note", at+"/notes", dtClick("aria/New note", "body > button", "text/New note"),
				dtEnter("House", "aria/Subject", "#s"), dtEnter("Paint it", "aria/Body", "#b"), dtClick("aria/Keep", "dialog > button", "text/Keep"))
		}},
	{name: "contact.devtools", set: map[string]string{"full_name": "Zoe Quill", "phone": "030 4455"}, want: "Zoe Quill, 030 4455",
		content: func(at string) string {
			return dt("Save a contact", at+"/contact", dtEnter("Bea Bell", "#fullName", "xpath///*[@id=\"fullName\"]", "pierce/#fullName"),
				dtEnter("030 1122", "#phone"),
				`{"type": "click", "selectors": [["aria/Save entry", "aria/[role=\"generic\"]"], ["#go >`+
					` span"]], "assertedEvents": [{"type": "navigation", "url": "`+at+`/contact/done", "title": "Saved"}]}`)
		}},
	{name: "frame.devtools", silent: true, set: map[string]string{"word": "Splendid"}, want: "Splendid",
		content: func(at string) string {
			in := func(s string) string {
				return strings.ReplaceAll(s, `"target": "main"`, `"target": "main", "frame": [0]`)
			}
			return dt("Leave a word", at+"/frame", in(dtEnter("Good", "aria/Word", "input")),
				in(dtClick("aria/Leave it", "button", "text/Leave it")))
		}},
	{name: "order.playwright", set: map[string]string{"customer": "Zeta Ltd", "level": "Gold"}, want: "Zeta Ltd, Gold, on",
		content: func(at string) string {
			return pw(at+"/order", pwDo("click", `internal:role=textbox[name="Customer"i]`, `,"clickCount":1`),
				pwDo("fill", `internal:role=textbox[name="Customer"i]`, `,"text":"Aldine"`), pwDo("select", `internal:label="Level BronzeSilverGold"i`,
					`,"options":["Silver"]`),
				pwDo("check", `internal:role=checkbox[name="As a gift"i]`, ""), pwLead(`internal:role=button[name="Send order"i]`, at+"/order/done"),
				pwDo("assertText", `internal:role=heading`, `,"text":"Saved","substring":true`))
		}},
	{name: "people.playwright", set: map[string]string{"person": "Cleo"}, want: "looked at Cleo", looks: true,
		content: func(at string) string {
			return pw(at+"/people", pwLead(`internal:role=listitem >> internal:has-text="Bob Open"i >> internal:role=button`, at+"/people/Bob"),
				pwDo("assertVisible", `internal:role=heading[name="Person Bob"i]`, ""))
		}},
	{name: "scans.playwright", set: map[string]string{"remark": "page two"}, want: "scan.pdf, page two",
		content: func(at string) string {
			return pw(at+"/scans", pwDo("click", `internal:role=button[name="Scan"i]`, `,"clickCount":1`),
				pwDo("fill", `internal:role=button[name="Scan"i]`, `,"text":"C:\\fakepath\\scan.pdf"`),
				pwDo("fill", `internal:role=textbox[name="Remark"i]`, `,"text":"page one"`),
				pwLead(`internal:role=button[name="Add scan"i]`, at+"/scans/done"))
		}},
	{name: "frame.playwright", set: map[string]string{"word": "Superb"}, want: "Superb",
		content: func(at string) string {
			in := `iframe[name="inner"] >> internal:control=enter-frame >> `
			return pw(at+"/frame", pwDo("fill", in+`internal:role=textbox[name="Word"i]`, `,"text":"Good"`),
				pwDo("click", in+`internal:role=button[name="Leave it"i]`, `,"clickCount":1`))
		}},
}

// Recordings of programs that Showhow has never seen: with other values the intended effect happens, by the program's
// own record, and no rehearsal passes without it.
func TestForeignRecordingsAreRehearsed(t *testing.T) {
	if _, err := browser.Find(); err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	t.Parallel()
	w := begin(t, func(o *daemon.Options) { o.Config.Browser.Headless = true })
	scan := filepath.Join(w.o.Roots.Home, "scan.pdf")
	must(t, os.WriteFile(scan, []byte("%PDF-1.4\n%%EOF\n"), 0o600))
	for _, f := range foreigners {
		t.Run(f.name, func(t *testing.T) {
			e := &elsewhere{}
			site := httptest.NewServer(e.handler())
			defer site.Close()
			d := w.imported(f.content(site.URL))
			defer w.dropped(d)
			values := map[string]string{}
			for _, in := range d.Interpretation.Inputs {
				switch v := f.set[in.Name]; {
				case v != "":
					values[in.Name] = v
				case in.Kind == "file":
					values[in.Name] = scan
				default:
					t.Errorf("an input that nobody thought of: %+v", in)
				}
			}
			run := func() (client.ValidationRun, []client.ValidationStepResult) {
				return w.rehearse(d, client.ValidateRequest{Parameters: values, TestPolicy: rehearsing("controlled_live_test")})
			}
			r, steps := run()
			wanted := rehearse.Overall("passed")
			if f.silent {
				wanted = "partial"
			}
			if r.OverallResult != wanted || !e.has(f.want) {
				w.tell(steps)
				t.Errorf("it ended %s (%s) with %q done; inputs %v", r.OverallResult, r.Reason, e.did, d.Interpretation.Inputs)
			}
			if f.looks {
				return
			}
			e.again(true)
			if r, steps := run(); r.OverallResult == "passed" {
				w.tell(steps)
				t.Error("it passed, and nothing was done")
			}
		})
	}
}
