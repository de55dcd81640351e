package find

import "testing"

func TestWordings(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want grade
	}{
		{"Save", "Save", exact}, {"Save", "SAVE ", same}, {"Street", "Street *", same}, {"Street", "Street (required):", same},
		{"Inbox (3)", "Inbox (5)", same},
		{"Save", "Store", synonym}, {"Save", "Speichern", synonym}, {"Save order", "Bestellung speichern", synonym},
		{"Delete customer", "Remove client", synonym},
		{"First name", "Vorname", synonym}, {"E-mail", "Email address", synonym}, {"Order no.", "Order number", synonym},
		{"Add item", "Add items", synonym},
		{"Save", "Apply", related}, {"Inbox 3", "Inbox 5", counted}, {"Save", "Save draft", partly},
		{"Save", "Delete", conflict}, {"City", "State", conflict}, {"Save", "Don't save", conflict}, {"Page 2 of 5", "Page 3 of 6", conflict},
		{"Delete order", "Delete customer", conflict}, {"Billing address", "Shipping address", conflict}, {"Log in", "Log out", conflict},
		{"Save", "Frobnicate", unrelated}, {"Edit {*}", "Edit A-17", same}, {"Edit [[text 4 v12]]", "Edit A-17", same},
		{"Edit {*}", "Delete A-17", unrelated},
		{"Löschen", "Loeschen", synonym}, {"LÖSCHEN", "Löschen", same}, {"Straße", "Strasse", same}, {"Straße (Pflichtfeld)", "Straße", same},
		{"Delete order", "注文 削除", synonym}, {"Start date", "End date", conflict}, {"Subscribe", "Unsubscribe", conflict},
		{"Next", "Next month", partly}, {"Next month", "Previous month", conflict}, {"Forward", "Weiterleiten", synonym},
		{"Next", "Weiterleiten", conflict},
	} {
		if got := compare(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
