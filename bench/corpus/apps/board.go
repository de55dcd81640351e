package apps

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"showhow/bench/corpus/ledger"
)

// Columns of the board, from left to right.
var Columns = []string{"Backlog", "Doing", "Review", "Done"}

// Crew are the people a card can be assigned to.
var Crew = []string{"Nobody", "Amara", "Dario", "Greta", "Jonas", "Mira"}

var chores = [2][]string{{"Fix", "Document", "Test", "Review", "Replace", "Simplify", "Translate", "Measure"},
	{"log-in page", "export", "invoice mail", "search", "backup job", "price list", "welcome text", "error page", "print view"}}

// board answers slowly: a page that does not wait shows stale data.
func board(seed uint64) *App {
	a := newApp("board", "Taskboard", "/board", seed, fillBoard)
	m := a.mux()
	shell := func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "shell.html", page{Title: "Taskboard"})
	}
	m.HandleFunc("GET /board", shell)
	m.HandleFunc("GET /cards/{id}", shell)
	m.HandleFunc("GET /app.js", static("pages/board/app.js", "text/javascript; charset=utf-8"))
	m.HandleFunc("GET /api/cards", slow(func(w http.ResponseWriter, _ *http.Request) { reply(w, a.Ledger.Rows("cards")) }))
	m.HandleFunc("POST /api/cards", slow(a.change(func(r *http.Request, f map[string]string) (ledger.Effect, string) {
		if f["title"] == "" {
			return ledger.Effect{}, "A card needs a title."
		}
		return ledger.Effect{Verb: "add", Table: "cards", Fields: map[string]string{"title": f["title"], "assignee": f["assignee"],
			"priority": f["priority"], "column": "Backlog", "state": "open"}}, ""
	})))
	m.HandleFunc("POST /api/cards/{id}", slow(a.change(func(r *http.Request, f map[string]string) (ledger.Effect, string) {
		return ledger.Effect{Verb: "set", Table: "cards", ID: r.PathValue("id"), Fields: f}, ""
	})))
	m.HandleFunc("GET /api/cards/{id}/comments", slow(func(w http.ResponseWriter, r *http.Request) {
		reply(w, found(a.Ledger.Rows("comments"), r.PathValue("id"), "card"))
	}))
	m.HandleFunc("POST /api/cards/{id}/comments", slow(a.change(func(r *http.Request, f map[string]string) (ledger.Effect, string) {
		return ledger.Effect{Verb: "add", Table: "comments", Fields: map[string]string{"card": r.PathValue("id"), "text": f["text"]}}, ""
	})))
	return a
}

func fillBoard(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{"comments": {{"id": "N-1", "card": "T-0", "text": "-"}}}
	perm := r.Perm(len(chores[0]) * len(chores[1]))
	for i, n := range perm[:16] {
		t["cards"] = append(t["cards"], ledger.Row{"id": fmt.Sprintf("T-%d", 101+i), "title": chores[0][n%8] + " the " + chores[1][n/8],
			"assignee": pick(r, Crew), "priority": pick(r, []string{"Low", "Normal", "High"}), "column": Columns[i%4], "state": "open"})
	}
	return t
}

// slow delays answers as on a busy line.
func slow(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(time.Duration(60+rand.IntN(180)) * time.Millisecond):
		case <-r.Context().Done():
		}
		next(w, r)
	}
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// change returns a JSON handler that applies one effect.
func (a *App) change(of func(*http.Request, map[string]string) (ledger.Effect, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var f map[string]string
		if json.NewDecoder(r.Body).Decode(&f) != nil {
			complain(w, http.StatusBadRequest, "This cannot be read.")
			return
		}
		for k, v := range f {
			f[k] = strings.TrimSpace(v)
		}
		e, problem := of(r, f)
		if problem != "" {
			complain(w, http.StatusUnprocessableEntity, problem)
			return
		}
		row, err := a.Ledger.Apply(r.Context(), e)
		switch {
		case errors.Is(err, ledger.ErrInvalid):
			complain(w, http.StatusUnprocessableEntity, "Please check what you entered: it was not accepted.")
		case err != nil:
			complain(w, http.StatusInternalServerError, "Something went wrong. Nothing was saved.")
		default:
			reply(w, row)
		}
	}
}

func complain(w http.ResponseWriter, status int, problem string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"problem": problem})
}
