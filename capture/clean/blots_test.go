package clean

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/capture/recall"
	"showhow/capture/seal"
	"showhow/capture/secret"
)

// TestSipHash: the test vectors of the algorithm's authors.
func blotted(t testing.TB, kind secret.Kind, secrets ...string) *job {
	j := newJob(t)
	for _, s := range secrets {
		j.known.Blots.Add(recall.BlotsOf(j.known.Blots.Salt, s, kind))
	}
	return j
}

// TestBlots: a text known only by its hash is unreadable elsewhere, and nothing else is.
func TestBlots(t *testing.T) {
	for _, c := range []struct {
		kind           secret.Kind
		secret, in, to string
	}{
		{secret.Password, "Tr0ub4dor&3", "Your password Tr0ub4dor&3 is weak", "Your password [[secret password]] is weak"},
		{secret.Password, "Tr0ub4dor&3", "pw=TR0UB4DOR&3!", "pw=[[secret password]]!"},
		{secret.Password, "Tr0ub4dor&3", "xTr0ub4dor&3y", "x[[secret password]]y"},
		{secret.Password, "correct horse battery", "the horse runs", "the [[secret password]] runs"},
		{secret.OTP, "482913", "code 482913 accepted", "code [[secret otp]] accepted"},
		{secret.OTP, "4829", "A-4829", "A-[[secret otp]]"},
		{secret.OTP, "4829", "order 14829 of 48290", "order 14829 of 48290"},
		{secret.Secret, "abc", "the abc of it", "the abc of it"},
		{secret.Name, "anna.schmidt", "Hello Anna", "Hello [[secret name]]"},
		{secret.Name, "anna.schmidt", "signed in as anna.schmidt", "signed in as [[secret name]]"},
		{secret.Name, "anna.schmidt", "Johannastrasse", "Johannastrasse"},
		{secret.Secret, "Please ring the blue doorbell twice", "Please wait for the doorbell", "Please wait for the doorbell"},
		{secret.Secret, "Please ring the blue doorbell twice", "Note: ring the blue doorbell", "Note: [[secret secret]]"},
		{secret.Secret, "Größe und Maß", "GRÖßE und Maß", "[[secret secret]]"},
	} {
		j := blotted(t, c.kind, c.secret)
		if got := j.text(c.in, 400); got != c.to {
			t.Errorf("%q in %q: %q, want %q", c.secret, c.in, got, c.to)
		}
	}
}

// TestBlotEverywhere: a password that one document knew by hash appears nowhere in another, nor in a command.
func TestBlotEverywhere(t *testing.T) {
	const hidden = "Ocelot&C99x y"
	j := blotted(t, secret.Password, hidden)
	if v := j.value(&capture.RawValue{Text: hidden, FieldName: "user"}, true); v.Policy != capture.Omitted || v.LinkID != "" {
		t.Errorf("typed into another field: %+v", v)
	}
	kept, _ := j.url("http://h.example/x/Ocelot%26C99x%20y?note=Ocelot%26C99x+y#Ocelot%26C99x%20y")
	line := j.command(&capture.RawCommand{Line: `echo "Ocelot&C99x y" | tee Ocelot\&C99x`, Shell: "bash"}).Line
	state := j.state(&capture.State{Headings: []string{"bad " + hidden}, Tables: []capture.Table{{Name: hidden, Columns: []string{hidden}}},
		Focus: hidden}, labelled{})
	file := j.file(&capture.File{Name: hidden + ".txt", Path: "a/" + hidden})
	for _, s := range []string{kept, line, fmt.Sprintf("%+v", *state), fmt.Sprintf("%+v", *file), j.plain(hidden, 99)} {
		if strings.Contains(s, "C99x") || strings.Contains(strings.ToLower(s), "ocelot") {
			t.Errorf("survives in %s", s)
		}
	}
	for _, row := range j.rows {
		if v, err := seal.Open([]byte(strings.Repeat("k", 32)), []capture.SealedRow{row}); err == nil {
			for _, text := range v {
				if strings.Contains(text, "Ocelot") {
					t.Error("the vault has it")
				}
			}
		}
	}
}

// TestNames: a word of a typed name is masked where it stands alone; ordinary words and the page's own are not.
func TestNames(t *testing.T) {
	j := newJob(t)
	j.known.Note(&capture.Target{Role: "button", Name: "New lamp"},
		&capture.State{Headings: []string{"Orders"}, Fields: []capture.Field{{Label: "Customer"}}})
	j.value(&capture.RawValue{Text: "Wilma Lamp", FieldName: "customer"}, true)
	for in, want := range map[string]string{
		"Hello Wilma":           "Hello [[text 5]]",
		"wilma's orders":        "[[text 5]]'s orders",
		"Lamp":                  "Lamp",
		"Wilmas":                "Wilmas",
		"Order for Wilma Lamp":  "Order for [[text 10]]",
		"http://h/people/Wilma": "http://h/people/[[text 5]]",
	} {
		if got := short(j.text(in, 400)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestNamesShredNoPage: whichever customer is typed, an application's own texts stay readable: almost all of them
// before the application was seen, and all of them afterwards.
func TestNamesShredNoPage(t *testing.T) {
	desk := []string{"Order desk", "Orders - Order desk", "Search orders", "Number, customer or city", "Any status", "Order A-1042",
		"Edit order A-1042",
		"Confirm changes to order A-1042", "What will change", "Delivery", "Delivery date", "Customer", "City", "Placed", "Quantity",
		"Note to customer", "Notify customer",
		"Items", "Products of order A-1042", "Product", "Units", "Unit price", "Amount", "Total", "Review changes", "Cancel", "Back to orders",
		"Download CSV", "Status", "Shipped",
		"Parcels to send", "Please check the form", "Help", "Find an order", "Change an order", "Export", "Log in", "Log out", "User name",
		"Password", "Reports", "You are logged out.",
		"The user name or password is not right.", "1 to 20 of 64 orders", "Order desk, Brandt Office Supplies",
		"The customer will be notified with your note.", "Confirm changes"}
	typed := []string{"Hartmann Papier", "Lindqvist & Co", "Bluewater Clinic", "Okafor Architects", "Marchetti Studio", "Northgate School",
		"Tanaka Trading", "Silva Dental",
		"Greenfield Library", "Novak Engineering", "Patel Pharmacy", "Kowalski Print", "Abbey Road Nursery", "Dubois Traiteur",
		"Mercer Logistics", "Harbour Hotel", "Yilmaz Optics",
		"Jansen Bikes", "Rowan Vets", "Castell Wines", "Desk lamp Lumo", "Sticky notes", "Monitor stand", "Office chair Sella", "Copy Paper",
		"Anna Schmidt", "Customer Service", "Order Desk"}
	for _, seen := range []bool{false, true} {
		changed := 0
		for _, name := range typed {
			j := newJob(t)
			if seen {
				j.known.Note(nil, &capture.State{Headings: desk})
			}
			j.value(&capture.RawValue{Text: name, FieldName: "customer"}, true)
			for _, text := range desk {
				if j.text(text, 400) != text && !strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
					changed++
					t.Logf("seen %v: %q changes %q", seen, name, text)
				}
			}
		}
		ratio := float64(changed) / float64(len(typed)*len(desk))
		t.Logf("seen %v: %d of %d texts changed (%.2f%%)", seen, changed, len(typed)*len(desk), 100*ratio)
		if ratio > 0.01 || seen && changed > 0 {
			t.Errorf("%.2f%% of the desk's own texts changed", 100*ratio)
		}
	}
}
