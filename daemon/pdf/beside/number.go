package beside

import (
	"strings"
	"unicode"

	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// formed is a text in a form: as it stands, its figure without the currency around it, or its figure as a plain number.
func formed(text, as string) (string, bool) {
	switch as {
	case wire.AsFigure:
		return figure(text)
	case wire.AsNumber:
		f, ok := figure(text)
		if !ok {
			return "", false
		}
		return number(f)
	}
	return text, true
}

// figure is the one number in a text that has nothing else but a currency or unit: "EUR 1,250.00", "12.5 %", "$40".
func figure(text string) (string, bool) {
	from := strings.IndexFunc(text, unicode.IsDigit)
	to := strings.LastIndexFunc(text, unicode.IsDigit)
	if from < 0 {
		return "", false
	}
	if from > 0 && text[from-1] == '-' && (from == 1 || text[from-2] == ' ') {
		from--
	}
	before, f, after := text[:from], text[from:to+1], text[to+1:]
	if strings.Trim(f, "0123456789.,'- \u00a0\u202f") != "" || strings.ContainsRune(f[1:], '-') || !unit(before) || !unit(after) {
		return "", false
	}
	return f, true
}

// unit reports whether a text is nothing, or a currency or unit: a sign or a short word.
func unit(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || !strings.ContainsRune(s, ' ') && len([]rune(s)) <= 4 && plain.Digits(s) == 0 && !strings.ContainsAny(s, ".,:;-/#()")
}

// number is a figure without separators of thousands and with a point: 1250.00. A figure that can be read in two ways,
// such as 1,250, is none.
func number(f string) (string, bool) {
	f = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "").Replace(f)
	point, comma := strings.Count(f, "."), strings.Count(f, ",")
	last := max(strings.LastIndex(f, "."), strings.LastIndex(f, ","))
	switch {
	case last < 0:
		return f, true
	case point > 1 && comma > 1:
		return "", false
	case point > 1 || comma > 1: // thousands, and perhaps the other as the decimal sign
		thousands := "."
		if comma > 1 {
			thousands = ","
		}
		if !grouped(f, thousands) {
			return "", false
		}
	case point == 1 && comma == 1:
		thousands := "."
		if f[last] == '.' {
			thousands = ","
		}
		if !grouped(f, thousands) {
			return "", false
		}
	case len(f)-last-1 == 3 && last <= 3:
		return "", false // thousands, or three decimals
	}
	decimal := byte('.')
	if point > 1 || point == 1 && comma == 1 && f[last] == ',' || point == 0 && comma == 1 {
		decimal = ','
	}
	out := strings.Map(func(r rune) rune {
		switch r {
		case rune(decimal):
			return '.'
		case '.', ',':
			return -1
		}
		return r
	}, f)
	return out, true
}

// grouped reports whether the separator stands before every three figures of the whole part.
func grouped(f, thousands string) bool {
	whole := f
	if i := strings.LastIndexAny(f, ".,"); string(f[i]) != thousands {
		whole = f[:i]
	}
	parts := strings.Split(strings.TrimLeft(whole, "-"), thousands)
	for i, p := range parts {
		if i > 0 && len(p) != 3 || i == 0 && (len(p) == 0 || len(p) > 3) || strings.ContainsAny(p, ".,") {
			return false
		}
	}
	return true
}
