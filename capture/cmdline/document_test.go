package cmdline

import (
	"testing"

	"showhow/daemon/wire"
)

func TestReadingOf(t *testing.T) {
	for line, want := range map[string]Reading{
		"showhow pdf text a.pdf":                                        {File: "a.pdf"},
		"/usr/bin/showhow pdf text --pages 1-3 'my invoice.pdf'":        {File: "my invoice.pdf"},
		`showhow pdf value a.pdf --beside "Invoice number" --as=number`: {"a.pdf", wire.DocumentPlace{Beside: "Invoice number", As: "number"}},
		`showhow pdf value --beside=Total --under Amount ~/a\ b.pdf`:    {"~/a b.pdf", wire.DocumentPlace{Beside: "Total", Under: "Amount"}},
		"showhow pdf value a.pdf --beside Total --pages 2":              {File: "a.pdf"}, // which page is no part of a place
		"showhow pdf tables a.pdf --mode strict --json":                 {File: "a.pdf"},
	} {
		if got, ok := ReadingOf(line); !ok || got != want {
			t.Errorf("%s: %+v, %v", line, got, ok)
		}
		if OwnCommand(line) {
			t.Errorf("%s is withheld", line)
		}
	}
	for _, line := range []string{
		"showhow pdf add a.pdf", "showhow pdf redact a.pdf --out b.pdf", "showhow pdf text doc_abcdefghijklmn", "showhow pdf text",
		"showhow pdf text a.pdf b.pdf", "showhow pdf text a.pdf > b.txt", "showhow pdf text a.pdf | less", "showhow pdf text a.pdf &",
		"showhow pdf text a.pdf; showhow learn stop", "showhow pdf text $f", `showhow pdf text "$(ls)"`, "sudo showhow pdf text a.pdf",
		"X=1 showhow pdf text a.pdf", "showhow pdf text a.pdf --password-stdin", "showhow pdf value a.pdf --beside", "showhow notes text a.pdf",
		"! showhow pdf text a.pdf", `showhow pdf text "a.pdf`,
	} {
		if got, ok := ReadingOf(line); ok {
			t.Errorf("%s: %+v", line, got)
		}
		if !OwnCommand(line) {
			t.Errorf("%s is not withheld", line)
		}
	}
}
