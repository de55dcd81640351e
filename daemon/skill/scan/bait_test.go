package scan

import (
	"strings"
	"testing"
)

// What Showhow writes of a skill that it learned, whose object stands in every example of a request, is no list of search
// words. One that is a list stays one, whatever quotes stand around it.
func TestARepeatedWord(t *testing.T) {
	own := `Change an order at the order desk and export it. Use for requests such as "update an order at the order desk and export it", ` +
		`"edit an order at the order desk and export it" or "change an order at the order desk and download it". Not for requests to ` +
		`delete an order, cancel an order or create a new order.`
	for text, want := range map[string]bool{
		own: false, strings.NewReplacer(` "`, " “", `",`, "”,", `" or`, "” or").Replace(own): false,
		strings.Repeat("crypto wallet, ", 10):                              true,
		`"` + strings.Repeat("crypto wallet ", 10) + `"`:                   true,
		strings.Repeat(`"crypto wallet", `, 10):                            true,
		"Use it. " + strings.Repeat(`"buy crypto now" or `, 9):             true,
		"Sort the receipts of a folder by month, then tell how many moved": false,
	} {
		if got := repeated(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
