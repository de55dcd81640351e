package kit

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"showhow/internal/fault"
)

// Whatever way a text goes to the terminal, nothing in it steers the terminal or hides.
func TestNothingPrintedSteersTheTerminal(t *testing.T) {
	const bad = "ab\x1b[2Kc\u202ed\u009b1Ae\U000e0041f\rg\a"
	for name, print := range map[string]func(e *Env){
		"say":     func(e *Env) { e.Say("%s", bad) },
		"bytes":   func(e *Env) { e.Say("%s", []byte(bad)) },
		"note":    func(e *Env) { e.Note("%v", []string{bad}) },
		"done":    func(e *Env) { _ = e.Done(nil, "%s", bad) },
		"cell":    func(e *Env) { e.Table("", Columns("A", bad), func(row func(...any)) { row(bad, "x\ny\tz") }) },
		"none":    func(e *Env) { e.Table(bad, nil, func(func(...any)) {}) },
		"failure": func(e *Env) { e.Fail(fault.New(fault.NotFound, bad).WithHint(bad)) },
	} {
		var b bytes.Buffer
		print(&Env{Out: &b, ErrOut: &b})
		if s := b.String(); !strings.Contains(s, "ab") || strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Errorf("%s: %q", name, s)
		}
	}
}
