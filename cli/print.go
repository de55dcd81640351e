package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"
)

// show prints the last answer: as it came with --json, else as human prints it.
func (e *env) show(human func()) error {
	if !e.json {
		human()
		return nil
	}
	_, err := fmt.Fprintln(e.out, strings.TrimSpace(string(e.body)))
	return err
}

// done prints the API's answer or a word.
func (e *env) done(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return e.show(func() { e.say(format, args...) })
}

// print prints a value that no API call answered.
func (e *env) print(v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintln(e.out, string(b))
	}
	return err
}

// table prints aligned columns, or none when there is nothing to print.
func (e *env) table(none string, head []any, rows func(row func(cells ...any))) {
	w := tabwriter.NewWriter(e.out, 0, 4, 2, ' ', 0)
	n := 0
	line := func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, c)
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
		e.say("%s", none)
	}
}

// columns heads a table.
func columns(names ...any) []any { return names }

// interactive reports whether a person reads the output as it comes.
func (e *env) interactive() bool {
	f, ok := e.out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is how many characters fit into a line.
func (e *env) width() int {
	if f, ok := e.out.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w >= 40 {
			return w
		}
	}
	return 110
}

// wrap breaks text into lines of the terminal's width, each after the first indented.
func (e *env) wrap(indent int, text string) string {
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

// plural is "1 observation" or "3 observations".
func plural[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// words makes text of a value of the wire: ready_for_review is "ready for review".
func words[S ~string](s S) string { return strings.ReplaceAll(string(s), "_", " ") }

// decimal is a score.
func decimal(f float64) string { return fmt.Sprintf("%.2f", f) }
