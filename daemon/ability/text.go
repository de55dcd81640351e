package ability

// textLimit is the longest reason that the schemas allow, in characters.
const textLimit = 240

// list returns s, or an empty slice for nil, so that it is never null on the wire.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func first(s []string, n int) []string { return list(s[:min(len(s), n)]) }
