package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"showhow/capture/cmdline"
	"showhow/internal/plain"
)

// fishBlocks are the words of fish that begin, divide or end a block; fishBefore are those that only stand before a
// command.
var (
	fishBlocks = plain.Set("for while if else switch case begin function end")
	fishBefore = plain.Set("and or not ! time command builtin exec else if while begin")
)

// OnlyFish reports whether a line is valid fish that bash cannot parse.
func OnlyFish(line string) bool {
	line = noBraces.Replace(line)
	if _, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), ""); err == nil {
		return false
	}
	_, ok := readFish(line)
	return ok
}

// noBraces replaces the braces of {inputs} in a draft's command line, which bash would take for its own syntax.
var noBraces = strings.NewReplacer("{", "_", "}", "_")

// readFish parses a line by fish's grammar. It returns false for a line that is not fish or that calls nothing.
func readFish(line string) (Line, bool) {
	calls, ok := cmdline.ReadFish(line)
	if !ok {
		return Line{}, false
	}
	var out Line
	for _, c := range calls {
		ws := c.Words
		for len(ws) > 1 && ws[0].Known && fishBefore[ws[0].Text] {
			out.Opaque = out.Opaque || fishBlocks[ws[0].Text]
			ws = ws[1:]
		}
		switch {
		case len(ws) == 0 || !ws[0].Known:
			out.Opaque = true
		case ws[0].Text == "for":
			out.Opaque = true
			if in := slices.IndexFunc(ws, func(w cmdline.FishWord) bool { return w.Text == "in" }); in > 0 {
				for _, w := range ws[in+1:] {
					if w.Known {
						out.Words = append(out.Words, Word{Text: w.Text, Program: "for"})
					}
				}
			}
		case fishBlocks[ws[0].Text]:
			out.Opaque = true
		default:
			texts := make([]string, len(ws))
			known := make([]bool, len(ws))
			for i, w := range ws {
				texts[i], known[i] = w.Text, w.Known
			}
			out.called(texts, known)
		}
		for _, f := range c.Files {
			if f.Known && !IsDevice(f.Text) && f.Text != "" {
				out.Words = append(out.Words, Word{Text: f.Text, Redirect: f.Into})
			}
		}
	}
	return out, len(calls) > 0
}
