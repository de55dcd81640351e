// Package apps contains the corpus's web applications: small, each with the habits of one kind of business
// application.
//
//	library     server-rendered: search, sorted and paged tables, forms with validation
//	board       single-page with client routing, a modal dialog, drag and drop, slow answers
//	rooms       a wizard whose list of rooms loads from a flaky service; a native dialog
//	papers      upload, download, a menu per row, a dialog
//	people      autocomplete, a modal form, a table that filters and sorts in the page
//	letters     an editor in an iframe, controls with shadow roots
//	stock       rows edited in place, a delivery of several lines, a CSV export, a JSON interface for scripts
//	tickets     tabs, a native dialog, checkboxes in rows, a collapsible section
//	canteen     a grid with an overlay of list and stepper, a list beside its details, checkboxes, tags added one by one
//	desk        a form that returns a generated number, a choice left at its default, an export
//
// They know neither tests nor recorders. What really happened is in each one's ledger, which no page shows; the
// ledger also injects faults. Their data follows from a seed. New creates one; mount its Handler at the root of a
// host.
package apps

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"showhow/bench/corpus/ledger"
)

//go:embed pages
var files embed.FS

// App is one application.
type App struct {
	Name    string
	Title   string
	Start   string // path of its first page
	Ledger  *ledger.Ledger
	Handler http.Handler

	pages   *template.Template
	mu      sync.Mutex
	notices map[string]string            // by browser: shown once
	drafts  map[string]map[string]string // by browser: what a wizard holds so far
	calls   int                          // of a flaky service
}

// Names lists the applications.
var Names = []string{"library", "board", "rooms", "papers", "people", "letters", "stock", "tickets", "canteen", "desk"}

var makers = map[string]func(seed uint64) *App{
	"library": library, "board": board, "rooms": rooms, "papers": papers, "people": people, "letters": letters, "stock": stock,
	"tickets": tickets, "canteen": canteen, "desk": desk,
}

// New returns the named application with data that follows from the seed; nil if there is no such application.
func New(name string, seed uint64) *App {
	if f := makers[name]; f != nil {
		return f(seed)
	}
	return nil
}

// Reset regenerates the data and drops everybody's drafts.
func (a *App) Reset(seed uint64) {
	a.Ledger.Reset(seed)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notices, a.drafts, a.calls = map[string]string{}, map[string]map[string]string{}, 0
}

// newApp parses the application's pages, which share one frame.
func newApp(name, title, start string, seed uint64, fill func(*rand.Rand) ledger.Tables) *App {
	t := template.Must(template.New("").Funcs(funcs).ParseFS(files, "pages/frame.html", "pages/"+name+"/*.html"))
	a := &App{Name: name, Title: title, Start: start, Ledger: ledger.New(seed, fill), pages: t}
	a.Reset(seed)
	return a
}

var funcs = template.FuncMap{
	"long": func(day string) string {
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return day
		}
		return t.Format("2 January 2006")
	},
	"list": func(words ...string) []string { return words },
}

// page is what every template gets.
type page struct {
	App, Title, Notice, Problem string
	Form                        map[string]string
	Data                        any
}

// mux is a ServeMux with what all applications share: the style, no caching, no framing by others.
func (a *App) mux() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /style.css", static("pages/style.css", "text/css; charset=utf-8"))
	m.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	m.Handle("GET /{$}", http.RedirectHandler(a.Start, http.StatusSeeOther))
	a.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "SAMEORIGIN")
		r.Body = http.MaxBytesReader(w, r.Body, 4<<20)
		m.ServeHTTP(w, r)
	})
	return m
}

func static(path, kind string) http.HandlerFunc {
	b, err := files.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(b)
	}
}

// show renders a page with any pending notice.
func (a *App) show(w http.ResponseWriter, r *http.Request, status int, name string, p page) {
	if p.App == "" {
		p.App = a.Title
	}
	p.Notice = a.notice(w, r, "")
	if p.Form == nil {
		p.Form = map[string]string{}
	}
	var b bytes.Buffer
	if err := a.pages.ExecuteTemplate(&b, name, p); err != nil {
		http.Error(w, "The page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w)
}

// browser is the name of the requesting browser; a new one is assigned if it has none.
func browser(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie("visit"); err == nil {
		return c.Value
	}
	v := fmt.Sprintf("v%d", rand.Uint64())
	http.SetCookie(w, &http.Cookie{Name: "visit", Value: v, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return v
}

// notice takes the pending one-time notice, or stores one.
func (a *App) notice(w http.ResponseWriter, r *http.Request, leave string) string {
	who := browser(w, r)
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.notices[who]
	delete(a.notices, who)
	if leave != "" {
		a.notices[who] = leave
	}
	return old
}

// draft is what this browser's wizard holds; with nil it only reads, else it adds.
func (a *App) draft(w http.ResponseWriter, r *http.Request, add map[string]string) map[string]string {
	who := browser(w, r)
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.drafts[who]
	if d == nil {
		d = map[string]string{}
		a.drafts[who] = d
	}
	out := map[string]string{}
	for k, v := range add {
		d[k] = v
	}
	for k, v := range d {
		out[k] = v
	}
	return out
}

// to stores a notice and redirects, as after every form.
func (a *App) to(w http.ResponseWriter, r *http.Request, path, notice string) {
	if notice != "" {
		a.notice(w, r, notice)
	}
	http.Redirect(w, r, path, http.StatusSeeOther)
}

// failed answers a change that was not made: an invalid one with the form again, anything else with an error page.
func (a *App) failed(w http.ResponseWriter, r *http.Request, err error, form string, p page) {
	if errors.Is(err, ledger.ErrInvalid) && form != "" {
		p.Problem = "Please check what you entered: it was not accepted."
		p.Form = fields(r)
		a.show(w, r, http.StatusUnprocessableEntity, form, p)
		return
	}
	status := http.StatusInternalServerError
	if errors.Is(err, ledger.ErrInvalid) {
		status = http.StatusUnprocessableEntity
	}
	a.show(w, r, status, "broken.html", page{Title: "Something went wrong", Data: "Nothing was saved. Try again later."})
}

// fields are a form's values.
func fields(r *http.Request) map[string]string {
	_ = r.ParseForm()
	out := map[string]string{}
	for k, v := range r.Form {
		if len(v) > 0 {
			out[k] = strings.TrimSpace(v[0])
		}
	}
	return out
}

// found returns the rows that contain the words in any of the fields.
func found(rows []ledger.Row, words string, in ...string) []ledger.Row {
	words = strings.ToLower(strings.TrimSpace(words))
	var out []ledger.Row
	for _, r := range rows {
		text := ""
		for _, f := range in {
			text += strings.ToLower(r[f]) + "\n"
		}
		if strings.Contains(text, words) {
			out = append(out, r)
		}
	}
	return out
}

// sorted orders rows by a field; "-name" for descending.
func sorted(rows []ledger.Row, by string) []ledger.Row {
	name, back := strings.CutPrefix(by, "-")
	if name == "" {
		return rows
	}
	sort.SliceStable(rows, func(i, j int) bool {
		if back {
			i, j = j, i
		}
		return rows[i][name] < rows[j][name]
	})
	return rows
}

// paged is one page of rows.
type paged struct {
	Rows            []ledger.Row
	Query, Sort     string
	From, To, Total int
	Page, Pages     int
	path            string
}

func pages(r *http.Request, rows []ledger.Row, per int) paged {
	q := r.URL.Query()
	p := paged{Query: q.Get("q"), Sort: q.Get("sort"), Total: len(rows), path: r.URL.Path, Pages: max(1, (len(rows)+per-1)/per)}
	n, err := strconv.Atoi(q.Get("page"))
	if err != nil {
		n = 1
	}
	p.Page = min(max(n, 1), p.Pages)
	start := (p.Page - 1) * per
	p.Rows = rows[start:min(start+per, len(rows))]
	p.From, p.To = start+1, start+len(p.Rows)
	return p
}

// Link is the address of the same list with another sort order or page.
func (p paged) Link(sort string, page int) string {
	v := url.Values{}
	if p.Query != "" {
		v.Set("q", p.Query)
	}
	if sort != "" {
		v.Set("sort", sort)
	}
	if page > 1 {
		v.Set("page", strconv.Itoa(page))
	}
	return p.path + "?" + v.Encode()
}

func (p paged) Previous() int { return p.Page - 1 }
func (p paged) Next() int     { return p.Page + 1 }

// By is the opposite direction for a column that is already sorted.
func (p paged) By(name string) string {
	if p.Sort == name {
		return p.Link("-"+name, 1)
	}
	return p.Link(name, 1)
}

// firstDay is the first day of the corpus's data. Fixed, so that a seed always gives the same data.
var firstDay = time.Date(2027, time.January, 4, 0, 0, 0, 0, time.UTC)

func day(after int) string { return firstDay.AddDate(0, 0, after).Format(time.DateOnly) }

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

var givenNames = []string{"Amara", "Bela", "Carla", "Dario", "Edda", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Katya", "Lionel",
	"Mira", "Nils", "Olga", "Pavel", "Quinn", "Rosa", "Sven", "Tilda", "Umar", "Vera", "Wanda", "Yusuf", "Zora"}

var familyNames = []string{"Adeyemi", "Brandt", "Castro", "Dahl", "Eriksen", "Fontana", "Gruber", "Haddad", "Ivanov", "Jansen",
	"Kaya", "Lopez", "Moreau", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Schmidt", "Tanaka", "Ueda", "Vargas", "Weber", "Young"}

// names returns n different names of people.
func names(r *rand.Rand, n int) []string {
	var out []string
	for _, i := range r.Perm(len(givenNames) * len(familyNames))[:n] {
		out = append(out, givenNames[i%len(givenNames)]+" "+familyNames[i/len(givenNames)])
	}
	return out
}
