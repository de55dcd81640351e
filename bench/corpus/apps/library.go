package apps

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"showhow/bench/corpus/ledger"
)

// Branches are the library's branches.
var Branches = []string{"Central", "Harbour", "Hillside", "Mill Lane"}

var titleWords = [2][]string{{"Glass", "Silent", "Northern", "Paper", "Amber", "Hidden", "Distant", "Broken", "Winter", "Copper", "Hollow",
	"Salt"},
	{"Harbour", "Orchard", "Signal", "Atlas", "Meadow", "Lantern", "Bridge", "Archive", "Compass", "Garden", "Tide", "Letter"}}

func library(seed uint64) *App {
	a := newApp("library", "Marrow Library", "/books", seed, fillLibrary)
	m := a.mux()
	m.HandleFunc("GET /books", func(w http.ResponseWriter, r *http.Request) {
		rows := sorted(found(a.Ledger.Rows("books"), r.URL.Query().Get("q"), "id", "title", "author"), r.URL.Query().Get("sort"))
		a.show(w, r, http.StatusOK, "books.html", page{Title: "Books", Data: pages(r, rows, 12)})
	})
	m.HandleFunc("GET /loans", func(w http.ResponseWriter, r *http.Request) {
		rows := sorted(found(a.Ledger.Rows("books"), "on loan", "status"), r.URL.Query().Get("sort"))
		a.show(w, r, http.StatusOK, "loans.html", page{Title: "Loans", Data: pages(r, rows, 10)})
	})
	m.HandleFunc("POST /loans/{id}/renew", a.renew)
	m.HandleFunc("GET /books/{id}", a.row("books", func(w http.ResponseWriter, r *http.Request, b ledger.Row) {
		a.show(w, r, http.StatusOK, "book.html", page{Title: b["title"], Data: b})
	}))
	m.HandleFunc("GET /books/{id}/lend", a.row("books", func(w http.ResponseWriter, r *http.Request, b ledger.Row) {
		a.show(w, r, http.StatusOK, "lend.html", page{Title: "Lend " + b["title"], Data: b})
	}))
	m.HandleFunc("POST /books/{id}/lend", a.row("books", a.lend))
	m.HandleFunc("GET /members", func(w http.ResponseWriter, r *http.Request) {
		rows := found(a.Ledger.Rows("members"), r.URL.Query().Get("q"), "id", "name", "email")
		a.show(w, r, http.StatusOK, "members.html", page{Title: "Members", Data: pages(r, rows, 12)})
	})
	m.HandleFunc("GET /members/new", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "newmember.html", page{Title: "New member", Data: Branches})
	})
	m.HandleFunc("POST /members/new", a.addMember)
	m.HandleFunc("GET /members/{id}", a.row("members", func(w http.ResponseWriter, r *http.Request, b ledger.Row) {
		a.show(w, r, http.StatusOK, "member.html", page{Title: b["name"], Data: b})
	}))
	return a
}

func fillLibrary(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{}
	for i, n := range names(r, 40) {
		t["members"] = append(t["members"], ledger.Row{"id": fmt.Sprintf("M-%d", 301+i), "name": n, "branch": pick(r, Branches), "letters": "no",
			"email": strings.ToLower(strings.ReplaceAll(n, " ", ".")) + "@example.org"})
	}
	perm := r.Perm(len(titleWords[0]) * len(titleWords[1]))
	for i, n := range perm[:48] {
		b := ledger.Row{"id": fmt.Sprintf("B-%d", 2001+i), "title": "The " + titleWords[0][n%12] + " " + titleWords[1][n/12],
			"author": pick(r, familyNames),
			"shelf":  fmt.Sprintf("%c%d", 'A'+r.IntN(6), 1+r.IntN(9)), "status": "available", "member": "", "due": ""}
		if i%3 == 2 {
			b["status"], b["member"], b["due"] = "on loan", fmt.Sprintf("M-%d", 301+r.IntN(40)), day(r.IntN(30))
		}
		t["books"] = append(t["books"], b)
	}
	return t
}

// row finds the record that the path names.
func (a *App) row(table string, f func(http.ResponseWriter, *http.Request, ledger.Row)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x, ok := a.Ledger.Row(table, r.PathValue("id"))
		if !ok {
			a.show(w, r, http.StatusNotFound, "broken.html", page{Title: "Not found", Data: "There is no such page."})
			return
		}
		f(w, r, x)
	}
}

func (a *App) lend(w http.ResponseWriter, r *http.Request, b ledger.Row) {
	f := fields(r)
	p := page{Title: "Lend " + b["title"], Data: b, Form: f}
	if _, ok := a.Ledger.Row("members", f["member"]); !ok {
		p.Problem = "There is no member with this number."
	} else if _, err := time.Parse(time.DateOnly, f["due"]); err != nil {
		p.Problem = "Say when the book is due back."
	}
	if p.Problem != "" {
		a.show(w, r, http.StatusUnprocessableEntity, "lend.html", p)
		return
	}
	_, err := a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "set", Table: "books", ID: b["id"],
		Fields: map[string]string{"status": "on loan", "member": f["member"], "due": f["due"]}})
	if err != nil {
		a.failed(w, r, err, "lend.html", p)
		return
	}
	a.to(w, r, "/books/"+b["id"], "The book was lent to "+f["member"]+".")
}

// renewal is how many days a renewal extends a loan.
const renewal = 21

func (a *App) renew(w http.ResponseWriter, r *http.Request) {
	b, _ := a.Ledger.Row("books", r.PathValue("id"))
	due, err := time.Parse(time.DateOnly, b["due"])
	if err == nil {
		_, err = a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "set", Table: "books", ID: b["id"],
			Fields: map[string]string{"due": due.AddDate(0, 0, renewal).Format(time.DateOnly)}})
	}
	if err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/books/"+b["id"], "The loan was renewed.")
}

func (a *App) addMember(w http.ResponseWriter, r *http.Request) {
	f := fields(r)
	p := page{Title: "New member", Data: Branches, Form: f}
	if f["name"] == "" || !strings.Contains(f["email"], "@") {
		p.Problem = "A member needs a name and an email address."
		a.show(w, r, http.StatusUnprocessableEntity, "newmember.html", p)
		return
	}
	letters := "no"
	if f["letters"] != "" {
		letters = "yes"
	}
	added, err := a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "add", Table: "members",
		Fields: map[string]string{"name": f["name"], "email": f["email"], "branch": f["branch"], "letters": letters}})
	if err != nil {
		a.failed(w, r, err, "newmember.html", p)
		return
	}
	if _, ok := a.Ledger.Row("members", added["id"]); !ok {
		a.to(w, r, "/members", "Member "+added["id"]+" was added.") // the page claims what is not there
		return
	}
	a.to(w, r, "/members/"+added["id"], "Member "+added["id"]+" was added.")
}
