package cli

import (
	"fmt"
	"strings"
	"unicode"
)

// plainText is text that somebody else wrote, without what a terminal would obey or a reader would not see.
func plainText(s string) string {
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

// place is file:line, or the file when it is about all of it.
func place(file string, line int) string {
	if line == 0 {
		return plainText(file)
	}
	return fmt.Sprintf("%s:%d", plainText(file), line)
}
