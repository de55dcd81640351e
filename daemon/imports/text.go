package imports

func clip(s string, n int) string {
	r := []rune(s)
	return string(r[:min(len(r), n)])
}
