package kit

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"showhow/internal/plain"
)

// Show prints the last answer: unchanged with --json, else as human prints it.
func (e *Env) Show(human func()) error {
	if !e.JSON {
		human()
		return nil
	}
	_, err := fmt.Fprintln(e.Out, strings.TrimSpace(string(e.Body)))
	return err
}

// Done prints the API's answer or a word.
func (e *Env) Done(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return e.Show(func() { e.Say(format, args...) })
}

// Print prints a value that no API call answered.
func (e *Env) Print(v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintln(e.Out, string(b))
	}
	return err
}

// oneLine keeps a cell in its place.
var oneLine = strings.NewReplacer("\n", " ", "\t", " ")

// Table prints aligned columns, or none if there is nothing to print.
func (e *Env) Table(none string, head []any, rows func(row func(cells ...any))) {
	w := tabwriter.NewWriter(e.Out, 0, 4, 2, ' ', 0)
	n := 0
	line := func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, plain.Visible(oneLine.Replace(fmt.Sprint(c))))
		}
		fmt.Fprintln(w)
	}
	rows(func(cells ...any) {
		if n++; n == 1 {
			line(head...)
		}
		line(cells...)
	})
	w.Flush()
	if n == 0 {
		e.Say("%s", none)
	}
}

// Columns is a table's header.
func Columns(names ...any) []any { return names }

// Interactive reports whether a person reads the output as it appears.
func (e *Env) Interactive() bool {
	f, ok := FileOf(e.Out)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the number of characters per line.
func (e *Env) width() int {
	if f, ok := FileOf(e.Out); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w >= 40 {
			return w
		}
	}
	return 110
}

// Wrap breaks text into lines of the terminal's width, all but the first indented.
func (e *Env) Wrap(indent int, text string) string {
	room := e.width() - indent
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(text) {
		l := len([]rune(word))
		switch {
		case n == 0:
		case n+1+l > room:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += l
	}
	return b.String()
}

// Plural is "1 observation" or "3 observations".
func Plural[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Words converts a value of the wire to text: ready_for_review is "ready for review".
func Words[S ~string](s S) string { return strings.ReplaceAll(string(s), "_", " ") }

// Origin says where a skill is from.
func Origin(source string, builtIn bool) string {
	if builtIn {
		return "comes with Showhow"
	}
	return source
}

// Trust says whether a skill is trusted; what comes with Showhow needs nobody's approval.
func Trust(trust string, builtIn bool) string {
	if builtIn {
		return "Showhow's own"
	}
	return Words(trust)
}

// Decimal formats a score.
func Decimal(f float64) string { return fmt.Sprintf("%.2f", f) }
