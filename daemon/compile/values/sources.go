package values

import (
	"strings"

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

// commonEnd returns the words, and the signs between them, with which both texts end. That two words end alike is chance.
func commonEnd(a, b string) string {
	x, y := wordStarts(a), wordStarts(b)
	n := 0
	for n < len(x) && n < len(y) && a[x[len(x)-1-n]:] == b[y[len(y)-1-n]:] {
		n++
	}
	if n == 0 {
		return ""
	}
	return a[x[len(x)-n]:]
}

// commonBeginning likewise returns those with which both begin.
func commonBeginning(a, b string) string {
	x, y := append(wordStarts(a), len(a)), append(wordStarts(b), len(b))
	n := 0
	for n < len(x) && n < len(y) && a[:x[n]] == b[:y[n]] {
		n++
	}
	return a[:x[n-1]]
}

// wordStarts lists where the words of a text begin, and each sign between them. What is written without blanks has a word for each letter.
func wordStarts(text string) (at []int) {
	inWord := false
	for i, r := range text {
		alone := !plain.WordRune(r) || plain.Unspaced(r)
		if alone || !inWord {
			at = append(at, i)
		}
		inWord = !alone
	}
	return at
}

// shownBeside says in words where a value is read.
func shownBeside(at *capture.Source) string {
	if near := page.Clean(at.Near); near != "" && !strings.ContainsRune(near, page.RefOpen) {
		return `what the page shows beside "` + near + `"`
	}
	return "what the page shows"
}
