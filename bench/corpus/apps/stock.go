package apps

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"showhow/bench/corpus/ledger"
)

var goods = []string{"Hex bolt M6", "Hex bolt M8", "Wing nut", "Washer 12", "Cable tie", "Hose clamp", "Ball bearing", "Drive belt",
	"Spring pin", "Copper ring",
	"Seal kit", "Grease tin", "Filter mat", "Valve cap", "Shim set", "Roller", "Hinge 40", "Latch", "Rivet box", "Thread tape", "Fuse 5A",
	"Fuse 10A", "Lamp E14", "Lamp E27"}

// Formats that the list can be exported in.
var Formats = []string{"csv", "tsv"}

func stock(seed uint64) *App {
	a := newApp("stock", "Stockroom", "/items", seed, fillStock)
	m := a.mux()
	m.HandleFunc("GET /items", func(w http.ResponseWriter, r *http.Request) {
		rows := sorted(found(a.Ledger.Rows("items"), r.URL.Query().Get("q"), "id", "name", "bin"), r.URL.Query().Get("sort"))
		a.show(w, r, http.StatusOK, "items.html", page{Title: "Items", Data: pages(r, rows, 8)})
	})
	m.HandleFunc("GET /items.csv", a.export)
	m.HandleFunc("POST /items/{id}/level", a.setLevel)
	m.HandleFunc("GET /deliveries/new", func(w http.ResponseWriter, r *http.Request) {
		f := a.draft(w, r, nil)
		a.show(w, r, http.StatusOK, "delivery.html", page{Title: "Book a delivery in", Form: f, Data: a.delivery(f["note"])})
	})
	m.HandleFunc("POST /deliveries/new", a.bookLine)
	m.HandleFunc("GET /api/items/{id}", func(w http.ResponseWriter, r *http.Request) {
		x, ok := a.Ledger.Row("items", r.PathValue("id"))
		if !ok {
			complain(w, http.StatusNotFound, "There is no such item.")
			return
		}
		reply(w, x)
	})
	m.HandleFunc("GET /api/items", func(w http.ResponseWriter, _ *http.Request) { reply(w, a.Ledger.Rows("items")) })
	m.HandleFunc("POST /api/items/{id}/quantity", a.change(func(r *http.Request, f map[string]string) (ledger.Effect, string) {
		return ledger.Effect{Verb: "set", Table: "items", ID: r.PathValue("id"), Fields: map[string]string{"quantity": f["quantity"]}}, ""
	}))
	return a
}

func fillStock(r *rand.Rand) ledger.Tables {
	t := ledger.Tables{"deliveries": {{"id": "E-900", "item": "", "quantity": "0"}}}
	for i, n := range goods {
		t["items"] = append(t["items"], ledger.Row{"id": fmt.Sprintf("SK-%d", 4101+i), "name": n,
			"bin":      fmt.Sprintf("%c-%02d", 'A'+r.IntN(5), 1+r.IntN(30)),
			"quantity": strconv.Itoa(r.IntN(90)), "level": strconv.Itoa(10 + 5*r.IntN(8))})
	}
	return t
}

func (a *App) setLevel(w http.ResponseWriter, r *http.Request) {
	id, level := r.PathValue("id"), strings.TrimSpace(r.FormValue("level"))
	back := "/items?" + r.URL.RawQuery
	if n, err := strconv.Atoi(level); err != nil || n < 0 {
		a.to(w, r, back, "The level must be a number.")
		return
	}
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "set", Table: "items", ID: id, Fields: map[string]string{"level": level}}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	a.to(w, r, back, "The reorder level of "+id+" was saved.")
}

// delivery is what can be booked in, and what was booked under this note.
func (a *App) delivery(note string) map[string]any {
	var lines []ledger.Row
	for _, l := range a.Ledger.Rows("deliveries") {
		if x, ok := a.Ledger.Row("items", l["item"]); ok && l["note"] == note {
			lines = append(lines, ledger.Row{"name": x["name"], "quantity": l["quantity"]})
		}
	}
	return map[string]any{"Items": a.Ledger.Rows("items"), "Lines": lines}
}

func (a *App) bookLine(w http.ResponseWriter, r *http.Request) {
	f := fields(r)
	p := page{Title: "Book a delivery in", Form: f, Data: a.delivery(f["note"])}
	x, ok := a.Ledger.Where("items", "name", f["item"])
	n, err := strconv.Atoi(f["quantity"])
	if !ok || err != nil || n <= 0 {
		p.Problem = "A line needs an item and a quantity."
		a.show(w, r, http.StatusUnprocessableEntity, "delivery.html", p)
		return
	}
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{
		Verb: "add", Table: "deliveries", Fields: map[string]string{"note": f["note"], "item": x["id"], "quantity": f["quantity"]}}); err != nil {
		a.failed(w, r, err, "delivery.html", p)
		return
	}
	a.draft(w, r, map[string]string{"note": f["note"]})
	a.to(w, r, "/deliveries/new", f["quantity"]+" of "+x["name"]+" were booked in.")
}

func (a *App) export(w http.ResponseWriter, r *http.Request) {
	fault := a.Ledger.Fault()
	if fault == ledger.EmptyFile {
		a.Ledger.Fail(ledger.Claim)
		defer a.Ledger.Fail(fault)
	}
	if _, err := a.Ledger.Apply(r.Context(), ledger.Effect{Verb: "send", Table: "export", ID: "items"}); err != nil {
		a.failed(w, r, err, "", page{})
		return
	}
	w.Header().Set("Content-Type", "text/csv")
	w.Header().Set("Content-Disposition", `attachment; filename="items.csv"`)
	if fault == ledger.EmptyFile {
		return
	}
	out := csv.NewWriter(w)
	_ = out.Write([]string{"number", "name", "bin", "quantity", "level"})
	for _, x := range a.Ledger.Rows("items") {
		_ = out.Write([]string{x["id"], x["name"], x["bin"], x["quantity"], x["level"]})
	}
	out.Flush()
}
