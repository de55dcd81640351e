package orderdesk

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Statuses of an order, in the order in which it passes through them.
var Statuses = []string{"new", "confirmed", "packed", "shipped", "delivered", "cancelled"}

// DateLayout is the desk's date format.
const DateLayout = time.DateOnly

// Order is one customer's order.
type Order struct {
	ID       string // A-1042
	Customer string
	City     string
	Status   string
	Placed   time.Time // a day
	Delivery time.Time // a day
	Quantity int       // parcels
	Note     string    // to the customer
	Notify   bool      // the customer hears of the last change
	Lines    []Line
}

// Line is one product of an order.
type Line struct {
	Product string
	Units   int
	Cents   int64 // price of one unit
}

// Amount is the line's amount, in cents.
func (l Line) Amount() int64 { return int64(l.Units) * l.Cents }

// Amount is the order's amount, in cents.
func (o Order) Amount() int64 {
	var sum int64
	for _, l := range o.Lines {
		sum += l.Amount()
	}
	return sum
}

// orderCount is how many orders a desk has: a few pages of its list.
const orderCount = 64

var customers = []string{"Hartmann Papier", "Lindqvist & Co", "Bluewater Clinic", "Okafor Architects", "Marchetti Studio",
	"Northgate School", "Tanaka Trading", "Silva Dental", "Greenfield Library", "Novak Engineering", "Patel Pharmacy",
	"Kowalski Print", "Abbey Road Nursery", "Dubois Traiteur", "Mercer Logistics", "Harbour Hotel", "Yilmaz Optics",
	"Jansen Bikes", "Rowan Vets", "Castell Wines"}

var cities = []string{"Hamburg", "Malmö", "Bristol", "Lagos", "Bologna", "Leeds", "Osaka", "Porto", "Dublin", "Brno",
	"Leicester", "Gdańsk", "Liverpool", "Lyon", "Rotterdam", "Bergen", "Izmir", "Utrecht", "Cork", "Tarragona"}

var products = []Line{{"Copy paper A4", 0, 429}, {"Ballpoint pens, box of 50", 0, 1190}, {"Desk lamp Lumo", 0, 5490},
	{"Ring binders", 0, 289}, {"Whiteboard 90 x 120", 0, 8900}, {"Label printer", 0, 12900}, {"Shipping cartons", 0, 119},
	{"Sticky notes", 0, 349}, {"Monitor stand", 0, 3990}, {"Office chair Sella", 0, 21900}, {"Hole punch", 0, 1590},
	{"Envelopes C5", 0, 899}}

// firstDay is when the oldest order was placed. Fixed, so that a seed always gives the same desk.
var firstDay = time.Date(2026, time.September, 1, 0, 0, 0, 0, time.UTC)

// orders makes the desk's orders from a seed.
func orders(seed uint64) []Order {
	r := rand.New(rand.NewPCG(seed, 0x6f72646572)) // the second word only has to be fixed
	out := make([]Order, orderCount)
	for i := range out {
		c := r.IntN(len(customers))
		o := Order{
			ID:       fmt.Sprintf("A-%d", 1001+i),
			Customer: customers[c],
			City:     cities[c],
			Status:   Statuses[r.IntN(4)],
			Placed:   firstDay.AddDate(0, 0, i+r.IntN(2)),
			Quantity: 1 + r.IntN(12),
		}
		o.Delivery = o.Placed.AddDate(0, 0, 5+r.IntN(20))
		for _, p := range r.Perm(len(products))[:1+r.IntN(4)] {
			l := products[p]
			l.Units = 1 + r.IntN(40)
			o.Lines = append(o.Lines, l)
		}
		out[i] = o
	}
	return out
}
