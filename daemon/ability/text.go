package ability

func cut(s string, n int) string {
	r := []rune(s)
	return string(r[:min(len(r), n)])
}

// clip keeps a text inside the 240 characters of the schemas.
func clip(s string) string {
	r := []rune(s)
	if len(r) <= 240 {
		return s
	}
	return string(r[:239]) + "…"
}

// list is never null on the wire.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func first(s []string, n int) []string { return list(s[:min(len(s), n)]) }
