package orderdesk

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// form is the submitted edit form.
type form struct {
	Status   string
	Delivery string
	Quantity string
	Note     string
	Notify   bool
}

// problem is an invalid field, with advice.
type problem struct{ Field, Label, Text string }

const (
	maxNote     = 400
	maxQuantity = 500
)

func formOf(o Order) form {
	return form{Status: o.Status, Delivery: o.Delivery.Format(DateLayout), Quantity: strconv.Itoa(o.Quantity), Note: o.Note, Notify: o.Notify}
}

func readForm(r *http.Request) form {
	return form{
		Status:   r.PostFormValue("status"),
		Delivery: strings.TrimSpace(r.PostFormValue("delivery")),
		Quantity: strings.TrimSpace(r.PostFormValue("quantity")),
		Note:     strings.TrimSpace(strings.ReplaceAll(r.PostFormValue("note"), "\r\n", "\n")),
		Notify:   r.PostFormValue("notify") != "",
	}
}

// problems returns what is wrong with the form for this order; nothing if it is valid.
func (f form) problems(o Order) []problem {
	var out []problem
	add := func(field, label, text string) { out = append(out, problem{field, label, text}) }
	if !slices.Contains(Statuses, f.Status) {
		add("status", "Status", "Choose a status.")
	}
	if day, err := time.Parse(DateLayout, f.Delivery); err != nil {
		add("delivery", "Delivery date", "Enter a delivery date.")
	} else if day.Before(o.Placed) {
		add("delivery", "Delivery date", "The delivery date must not be before the order was placed.")
	} else if day.Weekday() == time.Sunday {
		add("delivery", "Delivery date", "We do not deliver on Sundays. Choose another day.")
	}
	if n, err := strconv.Atoi(f.Quantity); err != nil || n < 1 || n > maxQuantity {
		add("quantity", "Quantity", "Enter a quantity from 1 to "+strconv.Itoa(maxQuantity)+".")
	}
	if utf8.RuneCountInString(f.Note) > maxNote {
		add("note", "Note to customer", "The note is too long.")
	} else if f.Notify && f.Note == "" {
		add("note", "Note to customer", "Write a note, because the customer will be notified.")
	}
	if len(out) == 0 && len(f.differences(o)) == 0 {
		add("status", "Status", "Nothing was changed yet.")
	}
	return out
}

// applied is the order with the values of a valid form.
func (f form) applied(o Order) Order {
	o.Status, o.Note, o.Notify = f.Status, f.Note, f.Notify
	o.Quantity, _ = strconv.Atoi(f.Quantity)
	o.Delivery, _ = time.Parse(DateLayout, f.Delivery)
	return o
}

// differences are the fields that the form would change.
func (f form) differences(o Order) []Change {
	was := formOf(o)
	var out []Change
	add := func(label, from, to string) {
		if from != to {
			out = append(out, Change{o.ID, label, from, to})
		}
	}
	add("Status", was.Status, f.Status)
	add("Delivery date", was.Delivery, f.Delivery)
	add("Quantity", was.Quantity, f.Quantity)
	add("Note to customer", was.Note, f.Note)
	add("Notify customer", yes(was.Notify), yes(f.Notify))
	return out
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
