package ability

import (
	"fmt"
	"unicode"
)

// hiddenRune reports whether a character is invisible or changes how others are displayed.
func hiddenRune(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == unicode.ReplacementChar:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		return true
	}
	return unicode.Is(unicode.Zs, r) && r != ' ' || r == 0x2028 || r == 0x2029 || r == 0x115f || r == 0x1160 || r == 0x3164
}

func hex4(r rune) string { return fmt.Sprintf("%04x", r) }
