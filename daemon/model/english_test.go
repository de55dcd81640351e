package model

import (
	"strings"
	"testing"
)

// What the check cannot read, it does not let pass: another language before or after, and words of one in between.
func TestForeignTextsStay(t *testing.T) {
	for _, c := range []struct{ before, after, why string }{
		{"Rechnung verschicken", "Rechnung stornieren", "in a language"},
		{"Rechnung nicht verschicken", "Rechnung verschicken", "in a language"},
		{"Die Rechnung wird nur montags verschickt.", "Die Rechnung wird montags verschickt.", "in a language"},
		{"N'envoyez pas la facture sans accord.", "Envoyez la facture sans accord.", "in a language"},
		{"No borrar el pedido", "Borrar el pedido", "in a language"},
		{"Nie wysyłaj faktury", "Wysyłaj faktury", "in a language"},
		{"Не отправлять счёт", "Отправить счёт", "in a language"},
		{"请不要发送发票", "请发送发票", "in a language"},
		{"Send faktura til kunde", "Send ikke faktura til kunde", "in a language"},
		{"Send the invoice to the customer", "Die Rechnung an den Kunden schicken", "answered in a language"},
		{"Send the invoice to the customer", "Send the invoice nicht to the customer", "adds a word"},
		{"Book a meeting room, außer montags", "Book a meeting room", "leaves out a word"},
		{"Book a room in the Zollhaus building", "Book a room in the building", "leaves out a word"},
		{"Book a room in the Zollhaus building", "Reserve a room in the Zollhaus building", ""},
		{"Rename document", "Rename a document", ""},
		{"Lend a book to a member", "Lend a library book to one of the members", ""},
		{"The changes are saved.", "The changes you made have been saved.", ""},
		{"", "", ""},
	} {
		why := foreign(c.before, c.after)
		if c.why == "" && why != "" || !strings.Contains(why, c.why) {
			t.Errorf("%q -> %q: %q, want %q", c.before, c.after, why, c.why)
		}
	}
}
