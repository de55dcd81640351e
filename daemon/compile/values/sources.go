package values

import (
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// readOff returns where the page showed what was typed, in every demonstration that typed it: the place, and the words
// around the value that all demonstrations share. It returns nil if the place differs or a personal value stands beside
// it.
func (s *Study) readOff(c *align.Column) *capture.Source {
	var at *capture.Source
	for _, a := range c.Acts {
		if a == nil {
			continue
		}
		if a.Value == nil || a.Value.Source == nil || a.Value.Source.Path == "" {
			return nil
		}
		src := *a.Value.Source
		src.Document = nil
		src.Before, src.After = lastBefore(src.Before), firstAfter(src.After)
		if page.MaskForm.MatchString(src.Near) {
			src.Near = ""
		}
		switch {
		case at == nil:
			at = &src
		case at.Path != src.Path || (at.Before+at.After == "") != (src.Before+src.After == ""):
			return nil
		default:
			at.Before, at.After = commonEnd(at.Before, src.Before), commonBeginning(at.After, src.After)
			if at.Near != src.Near {
				at.Near = ""
			}
		}
	}
	if at == nil || len(c.Rounds) > 0 {
		return nil
	}
	if a, _ := c.Base(); a.Value.Source.Before+a.Value.Source.After != "" && plain.Letters(at.Before)+plain.Letters(at.After) == 0 {
		return nil // nothing says where in the text the value is
	}
	return at
}

// lastBefore returns the part of a text after its last mask: the words of the page directly before a value.
func lastBefore(text string) string {
	if all := page.MaskForm.FindAllStringIndex(text, -1); len(all) > 0 {
		text = text[all[len(all)-1][1]:]
	}
	return text
}

func firstAfter(text string) string {
	if at := page.MaskForm.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	return text
}

func commonEnd(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return a[len(a)-n:]
}

func commonBeginning(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return a[:n]
}

// shownBeside says in words where a value is read.
func shownBeside(at *capture.Source) string {
	if near := page.Clean(at.Near); near != "" && !strings.ContainsRune(near, page.RefOpen) {
		return `what the page shows beside "` + near + `"`
	}
	return "what the page shows"
}
