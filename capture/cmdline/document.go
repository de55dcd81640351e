package cmdline

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"showhow/daemon/wire"
	"showhow/internal/lazyre"
	"showhow/internal/shellword"
)

// Reading is a command that shows what a document says, and changes nothing.
type Reading struct {
	File  string
	Place wire.DocumentPlace // of the one value that it shows; without words: all of the document, or some of its pages
}

// readers are the commands of showhow pdf that show what a document says.
var readers = nameSet([]string{"text", "value", "tables", "ocr"})

// Flags of these commands: those with a word of their own, and those without.
var (
	readerFlags    = nameSet([]string{"--pages", "--languages", "--mode", "--beside", "--under", "--as"})
	readerSwitches = nameSet([]string{"--json", "--plain", "--ocr"})
	placeFlags     = nameSet([]string{"--beside", "--under"})
	placeForm      = lazyre.New(`^--(?:beside|under)=`)
)

var reference = lazyre.New(wire.DocumentRefPattern)

// DocumentRead understands a simple command as a reading: "showhow pdf text FILE" and its like. A document that Showhow
// keeps, which is no file of the person's, is none.
func DocumentRead(words []string) (r Reading, ok bool) {
	if len(words) < 4 || path.Base(words[0]) != "showhow" {
		return r, false
	}
	var plain []string
	flags := map[string]string{}
	for i := 1; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w, "-") {
			plain = append(plain, w)
			continue
		}
		name, value, attached := strings.Cut(w, "=")
		switch {
		case !attached && readerSwitches[name]:
		case !readerFlags[name]:
			return r, false
		case attached:
			flags[name] = value
		case i+1 < len(words):
			i++
			flags[name] = words[i]
		default:
			return r, false
		}
	}
	if len(plain) != 3 || plain[0] != "pdf" || !readers[plain[1]] || plain[2] == "" || reference.MatchString(plain[2]) {
		return r, false
	}
	r.File = plain[2]
	if plain[1] == "value" && flags["--pages"] == "" {
		r.Place = wire.DocumentPlace{Beside: flags["--beside"], Under: flags["--under"], As: flags["--as"]}
	}
	return r, true
}

// ReadingOf understands a line that does nothing but show what a document says: one command, whose words are all known.
func ReadingOf(line string) (r Reading, ok bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 {
		return r, false
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns)+len(s.Redirs) > 0 || s.Negated || s.Background || s.Coprocess || s.Disown {
		return r, false
	}
	words := make([]string, len(call.Args))
	for i, w := range call.Args {
		text, known := shellword.Text(w)
		if !known {
			return r, false
		}
		words[i] = text
	}
	return DocumentRead(words)
}
