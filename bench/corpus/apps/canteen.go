package apps

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"

	"showhow/bench/corpus/ledger"
)

// Allergens that a dish can be marked with.
var Allergens = []string{"Celery", "Eggs", "Gluten", "Milk", "Mustard", "Nuts", "Soya"}

// Kitchens that cook.
var Kitchens = []string{"Harbour", "Old mill", "Tower"}

var dishes = []string{"Barley soup", "Bean stew", "Fish pie", "Lentil curry", "Mushroom rice", "Noodle salad", "Potato bake",
	"Spinach dumplings"}

var weekdays = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}

func canteen(seed uint64) *App {
	a := newApp("canteen", "Canteen", "/week", seed, fillCanteen)
	m := a.mux()
	m.HandleFunc("GET /week", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "week.html",
			page{Title: "This week", Data: map[string]any{"Days": weekdays, "Plan": a.Ledger.Rows("plan"), "Dishes": a.Ledger.Rows("dishes")}})
	})
	m.HandleFunc("GET /dishes", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "dishes.html",
			page{Title: "Dishes", Data: map[string]any{"Dishes": a.Ledger.Rows("dishes"), "Allergens": Allergens, "Kitchens": Kitchens}})
	})
	m.HandleFunc("GET /dishes/new", func(w http.ResponseWriter, r *http.Request) {
		a.show(w, r, http.StatusOK, "new.html", page{Title: "A new dish"})
	})
	m.HandleFunc("POST /api/plan", a.change(func(_ *http.Request, f map[string]string) (ledger.Effect, string) {
		if n, err := strconv.Atoi(f["portions"]); err != nil || n < 1 || n > 400 {
			return ledger.Effect{}, "Say how many portions, 1 to 400."
		}
		return ledger.Effect{Verb: "set", Table: "plan", ID: f["slot"], Fields: map[string]string{"dish": f["dish"], "portions": f["portions"]}},
			""
	}))
	m.HandleFunc("POST /api/dishes", a.change(func(_ *http.Request, f map[string]string) (ledger.Effect, string) {
		if f["name"] == "" || f["tags"] == "" {
			return ledger.Effect{}, "A dish needs a name and a tag."
		}
		return ledger.Effect{Verb: "add", Table: "dishes", Fields: f}, ""
	}))
	m.HandleFunc("POST /api/dishes/{id}", a.change(func(r *http.Request, f map[string]string) (ledger.Effect, string) {
		return ledger.Effect{Verb: "set", Table: "dishes", ID: r.PathValue("id"), Fields: f}, ""
	}))
	return a
}

func fillCanteen(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{}
	for i, n := range r.Perm(len(dishes)) {
		t["dishes"] = append(t["dishes"], ledger.Row{"id": fmt.Sprintf("D-%d", 31+i), "name": dishes[n], "allergens": pick(r, Allergens),
			"kitchen": pick(r, Kitchens), "tags": "warm", "price": "4.50"})
	}
	for _, d := range weekdays {
		for _, meal := range []string{"lunch", "supper"} {
			t["plan"] = append(t["plan"], ledger.Row{"id": d + " " + meal, "dish": "", "portions": "0"})
		}
	}
	return t
}
