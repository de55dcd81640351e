package intent

import (
	"testing"
)

func TestGermanOne(t *testing.T) {
	for many, want := range map[string]string{"Rechnungen": "rechnung", "Kundenaufträge": "kundenauftrag", "Artikel": "artikel",
		"Kunden": "kunde", "Mitarbeiter": "mitarbeiter", "Invoices": "invoice", "kitchen": "", "open": ""} {
		if got := OneOf(many); got != want {
			t.Errorf("%s: %q, not %q", many, got, want)
		}
	}
}
