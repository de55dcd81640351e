package ability

// textLimit is how many characters the schemas allow a reason.
const textLimit = 240

// list is never null on the wire.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func first(s []string, n int) []string { return list(s[:min(len(s), n)]) }
