package kit

import (
	"fmt"
	"strings"
	"unicode"
)

// PlainText is foreign text without what a terminal would obey or a reader would not see.
func PlainText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), r >= 0xe0000 && r <= 0xe007f:
			return '\ufffd'
		}
		return r
	}, s)
}

// Place is file:line, or the file if the finding concerns all of it.
func Place(file string, line int) string {
	if line == 0 {
		return PlainText(file)
	}
	return fmt.Sprintf("%s:%d", PlainText(file), line)
}
