package apps

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"showhow/bench/corpus/ledger"
)

// Audiences that a letter can go to.
var Audiences = []string{"Everybody", "Customers", "Partners", "Staff"}

func letters(seed uint64) *App {
	a := newApp("letters", "Letterbox", "/letters", seed, fillLetters)
	m := a.mux()
	m.HandleFunc("GET /parts.js", static("pages/letters/parts.js", "text/javascript; charset=utf-8"))
	m.HandleFunc("GET /letters", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "letters.html", page{Title: "Letters", Data: a.Ledger.Rows("letters")})
	})
	m.HandleFunc("GET /letters/new", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "write.html", page{Title: "Write a letter", Data: Audiences})
	})
	m.HandleFunc("GET /editor", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "editor.html", page{Title: "Text"})
	})
	m.HandleFunc("POST /api/letters", a.change(func(_ *http.Request, f map[string]string) (ledger.Effect, string) {
		if f["subject"] == "" || f["text"] == "" {
			return ledger.Effect{}, "A letter needs a subject and a text."
		}
		if _, err := time.Parse(time.DateOnly, f["day"]); err != nil {
			return ledger.Effect{}, "Choose the day it goes out."
		}
		return ledger.Effect{Verb: "add", Table: "letters", Fields: f}, ""
	}))
	m.HandleFunc("GET /letters/{id}", a.row("letters", func(w http.ResponseWriter, r *http.Request, l ledger.Row) {
		a.show(w, r, http.StatusOK, "letter.html", page{Title: l["subject"], Data: l})
	}))
	m.HandleFunc("GET /settings", func(w http.ResponseWriter, r *http.Request) {
		s, _ := a.Ledger.Row("settings", "sender")
		a.show(w, r, http.StatusOK, "settings.html", page{Title: "Settings", Data: s})
	})
	m.HandleFunc("POST /api/settings", a.change(func(_ *http.Request, f map[string]string) (ledger.Effect, string) {
		if f["name"] == "" {
			return ledger.Effect{}, "The sender needs a name."
		}
		return ledger.Effect{Verb: "set", Table: "settings", ID: "sender", Fields: f}, ""
	}))
	return a
}

func fillLetters(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{"settings": {{"id": "sender", "name": "Letterbox", "reply": "hello@example.org", "copies": "off"},
		{"id": "archive", "name": "Archive", "reply": "archive@example.org", "copies": "off"}}}
	for i := range 6 {
		t["letters"] = append(t["letters"], ledger.Row{
			"id": fmt.Sprintf("L-%d", 11+i), "subject": pick(r, occasions) + fmt.Sprintf(" no. %d", i+1), "audience": pick(r, Audiences),
			"text": "As every year.", "day": day(r.IntN(20)), "count": "on"})
	}
	return t
}
