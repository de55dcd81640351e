package orderdesk

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
)

// exportOrder exports one order, one line per product. Column 4 is the status in both exports.
func (d *Desk) exportOrder(w http.ResponseWriter, _ *http.Request, o Order) {
	rows := [][]string{{"order", "line", "product", "status", "units", "unit_price", "amount", "delivery"}}
	for i, l := range o.Lines {
		rows = append(rows, []string{o.ID, strconv.Itoa(i + 1), l.Product, o.Status, strconv.Itoa(l.Units),
			decimal(l.Cents), decimal(l.Amount()), o.Delivery.Format(DateLayout)})
	}
	sendCSV(w, "order-"+o.ID+".csv", rows)
}

// exportList exports every order that the list's search finds.
func (d *Desk) exportList(w http.ResponseWriter, r *http.Request) {
	rows := [][]string{{"order", "customer", "city", "status", "placed", "delivery", "quantity", "amount"}}
	for _, o := range d.find(r.URL.Query().Get("q"), r.URL.Query().Get("status")) {
		rows = append(rows, []string{o.ID, o.Customer, o.City, o.Status, o.Placed.Format(DateLayout),
			o.Delivery.Format(DateLayout), strconv.Itoa(o.Quantity), decimal(o.Amount())})
	}
	sendCSV(w, "orders.csv", rows)
}

func decimal(cents int64) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }

func sendCSV(w http.ResponseWriter, name string, rows [][]string) {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	if err := c.WriteAll(rows); err != nil {
		http.Error(w, "The file could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = b.WriteTo(w)
}
