package apps

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"showhow/bench/corpus/ledger"
)

// Departments of the company.
var Departments = []string{"Design", "Finance", "Logistics", "Research", "Sales", "Support"}

// Teams that people can join.
var Teams = []string{"Atlas", "Borealis", "Cobalt"}

func people(seed uint64) *App {
	a := newApp("people", "Who is who", "/people", seed, fillPeople)
	m := a.mux()
	m.HandleFunc("GET /people", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "people.html", page{Title: "People", Data: a.Ledger.Rows("people")})
	})
	m.HandleFunc("GET /people/{id}", a.row("people", func(w http.ResponseWriter, r *http.Request, p ledger.Row) {
		a.show(w, r, http.StatusOK, "person.html", page{Title: p["name"], Data: map[string]any{"P": p, "Departments": Departments}})
	}))
	m.HandleFunc("POST /people/{id}", a.row("people", a.editPerson))
	m.HandleFunc("GET /api/names", slow(func(w http.ResponseWriter, r *http.Request) {
		rows := found(a.Ledger.Rows("people"), r.URL.Query().Get("q"), "name")
		reply(w, rows[:min(len(rows), 6)])
	}))
	m.HandleFunc("GET /teams", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "teams.html", page{Title: "Teams", Data: Teams})
	})
	m.HandleFunc("GET /teams/{team}", a.team)
	m.HandleFunc("POST /teams/{team}", a.join)
	return a
}

func fillPeople(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{}
	all := names(r, 36)
	for i, n := range all {
		t["people"] = append(t["people"], ledger.Row{"id": fmt.Sprintf("P-%d", 701+i), "name": n, "department": pick(r, Departments),
			"phone": fmt.Sprintf("+49 40 %d", 200000+r.IntN(700000)), "room": fmt.Sprintf("%d.%02d", 1+r.IntN(5), 1+r.IntN(40)),
			"manager": all[(i+7)%36], "team": ""})
	}
	return t
}

func (a *App) editPerson(w http.ResponseWriter, r *http.Request, p ledger.Row) {
	f := fields(r)
	set := map[string]string{}
	for _, k := range []string{"phone", "room", "department", "manager"} {
		if v, ok := f[k]; ok && v != p[k] {
			set[k] = v
		}
	}
	pg := page{Title: p["name"], Data: map[string]any{"P": p, "Departments": Departments}}
	if m, ok := set["manager"]; ok {
		if _, there := a.Ledger.Where("people", "name", m); !there {
			pg.Problem = "Nobody here has the name " + m + "."
			a.show(w, r, http.StatusUnprocessableEntity, "person.html", pg)
			return
		}
	}
	if len(set) > 0 {
		if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "set", Table: "people", ID: p["id"], Fields: set}); err != nil {
			a.failed(w, r, err, "person.html", pg)
			return
		}
	}
	a.to(w, r, "/people/"+p["id"], "Saved.")
}

func (a *App) team(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("team")
	var in []ledger.Row
	for _, p := range a.Ledger.Rows("people") {
		if p["team"] == name {
			in = append(in, p)
		}
	}
	a.show(w, r, http.StatusOK, "team.html", page{Title: "Team " + name, Data: in})
}

func (a *App) join(w http.ResponseWriter, r *http.Request) {
	team, name := r.PathValue("team"), strings.TrimSpace(r.FormValue("name"))
	p, ok := a.Ledger.Where("people", "name", name)
	if !ok {
		a.to(w, r, "/teams/"+team, "Nobody here has this name.")
		return
	}
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "set", Table: "people", ID: p["id"], Fields: map[string]string{"team": team}}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, "/teams/"+team, "Added to the team.")
}
