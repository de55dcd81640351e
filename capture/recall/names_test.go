package recall

import (
	"slices"
	"testing"

	"showhow/capture"
)

// TestNameParts: single words of a typed name identify a person, ordinary words do not.
func TestNameParts(t *testing.T) {
	for _, c := range []struct {
		text, field string
		want        []string
	}{
		{"Anna Schmidt", "customer", []string{"anna", "schmidt"}},
		{"Anna van Dijk", "to", []string{"anna", "dijk"}},
		{"anna schmidt", "Full name", []string{"anna", "schmidt"}},
		{"anna schmidt", "comment", nil},
		{"Ring twice please", "note", nil},
		{"New Order", "title", nil},
		{"Blue Lamp", "article", []string{"lamp"}},
		{"Anna", "name", nil},
		{"Northwind Trading Company", "customer", []string{"northwind", "trading"}},
		{"Order 66 for Anna", "note", nil},
		{"anna schmidt", "prénom et nom", []string{"anna", "schmidt"}},
		{"anna kowalska", "Imię i nazwisko", []string{"anna", "kowalska"}},
		{"анна иванова", "ФИО", []string{"анна", "иванова"}},
		{"ayşe yılmaz", "Müşteri adı", []string{"ayşe", "yılmaz"}},
		{"anna schmidt", "お名前", []string{"anna", "schmidt"}},
		{"Informe Enero Semanal", "título", []string{"informe", "semanal"}},
		{"Julio Iglesias", "título", []string{"julio", "iglesias"}},
	} {
		got := nameParts(c.text, capture.KindText, nameField().MatchString(c.field))
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %q, want %q", c.text, c.field, got, c.want)
		}
	}
	if got := nameParts("anna.schmidt@mail.example", capture.KindEmail, false); !slices.Equal(got, []string{"schmidt", "anna.schmidt"}) {
		t.Errorf("mail: %q", got)
	}
}
