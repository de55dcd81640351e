package orderdesk

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed pages/style.css
var styleSheet []byte

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"money": money,
		"day":   func(t time.Time) string { return t.Format(DateLayout) },
		"long":  func(t time.Time) string { return t.Format("2 January 2006") },
		"title": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
		"yes":   yes,
	}).ParseFS(pageFiles, "pages/*.html"))
})

// money formats cents as a person writes them: 1,234.50.
func money(cents int64) string {
	whole := strconv.FormatInt(cents/100, 10)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("€ %s.%02d", whole, cents%100)
}

// page is what every template gets.
type page struct {
	Title  string
	User   string
	Notice string // role=status, once
	Data   any
}

// Handler serves the desk at the root of a host.
func (d *Desk) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", http.RedirectHandler("/orders", http.StatusSeeOther))
	mux.HandleFunc("GET /style.css", serveStyle)
	mux.HandleFunc("GET /orders", d.list)
	mux.HandleFunc("GET /orders/export.csv", d.exportList)
	mux.HandleFunc("GET /orders/{id}", d.order(d.detail))
	mux.HandleFunc("GET /orders/{id}/export.csv", d.order(d.exportOrder))
	mux.HandleFunc("GET /orders/{id}/edit", d.order(d.edit))
	mux.HandleFunc("POST /orders/{id}/edit", d.order(d.review))
	mux.HandleFunc("GET /orders/{id}/confirm", d.order(d.confirm))
	mux.HandleFunc("POST /orders/{id}/confirm", d.order(d.save))
	mux.HandleFunc("GET /help", d.help)
	mux.HandleFunc("GET /login", d.logInPage)
	mux.HandleFunc("POST /login", d.logInSent)
	mux.HandleFunc("POST /logout", d.logOut)
	mux.HandleFunc("GET /reports", d.reports)
	mux.HandleFunc("/", d.notFound)
	return guard(mux)
}

// guard protects the pages: no framing, no caching, no writes from another site.
func guard(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	return crossOrigin.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy",
			"default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
		next.ServeHTTP(w, r)
	}))
}

func serveStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write(styleSheet)
}

const cookieName = "desk"

// session runs f on the browser's session, creating one if necessary.
func (d *Desk) session(w http.ResponseWriter, r *http.Request, f func(*session)) {
	old := ""
	if c, err := r.Cookie(cookieName); err == nil {
		old = c.Value
	}
	if token := d.with(old, f); token != old {
		http.SetCookie(w, &http.Cookie{Name: cookieName, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
}

// show renders a page with the session's notice, which is then cleared.
func (d *Desk) show(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) {
	p := page{Title: title, Data: data}
	d.session(w, r, func(s *session) { p.User, p.Notice, s.notice = s.user, s.notice, "" })
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, name, p); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w)
}

// order finds the order that the path names.
func (d *Desk) order(f func(http.ResponseWriter, *http.Request, Order)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		o, ok := d.Order(r.PathValue("id"))
		if !ok {
			d.notFound(w, r)
			return
		}
		f(w, r, o)
	}
}

func (d *Desk) notFound(w http.ResponseWriter, r *http.Request) {
	d.show(w, r, http.StatusNotFound, "notfound.html", "Not found", nil)
}

// listPage is one page of the list.
type listPage struct {
	Query, Status string
	Statuses      []string
	Orders        []Order
	From, To      int // of Total, counted from 1
	Total         int
	Page, Pages   int
	Numbers       []int
}

const perPage = 15

func (d *Desk) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	l := listPage{Query: q.Get("q"), Status: q.Get("status"), Statuses: Statuses}
	found := d.find(l.Query, l.Status)
	l.Total = len(found)
	l.Pages = max(1, (l.Total+perPage-1)/perPage)
	n, err := strconv.Atoi(q.Get("page"))
	if err != nil {
		n = 1
	}
	l.Page = min(max(n, 1), l.Pages)
	start := (l.Page - 1) * perPage
	l.Orders = found[start:min(start+perPage, l.Total)]
	l.From, l.To = start+1, start+len(l.Orders)
	for i := range l.Pages {
		l.Numbers = append(l.Numbers, i+1)
	}
	d.show(w, r, http.StatusOK, "list.html", "Orders", l)
}

// Link is the address of another page of the same list.
func (l listPage) Link(n int) string {
	v := l.values()
	v.Set("page", strconv.Itoa(n))
	return "/orders?" + v.Encode()
}

// Export is the address of the whole list as a file.
func (l listPage) Export() string {
	if v := l.values().Encode(); v != "" {
		return "/orders/export.csv?" + v
	}
	return "/orders/export.csv"
}

func (l listPage) values() url.Values {
	v := url.Values{}
	if l.Query != "" {
		v.Set("q", l.Query)
	}
	if l.Status != "" {
		v.Set("status", l.Status)
	}
	return v
}

func (l listPage) Previous() int { return l.Page - 1 }
func (l listPage) Next() int     { return l.Page + 1 }

func (d *Desk) detail(w http.ResponseWriter, r *http.Request, o Order) {
	d.show(w, r, http.StatusOK, "detail.html", "Order "+o.ID, o)
}

func (d *Desk) help(w http.ResponseWriter, r *http.Request) {
	d.show(w, r, http.StatusOK, "help.html", "Help", nil)
}
