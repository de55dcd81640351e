package lexical

// Memo caches answers about short texts: pages and fields recur.
type Memo[T any] map[string]T

const (
	memoLength  = 512
	memoEntries = 4096
)

// Get returns the answer about s, calling ask if it is not cached.
func (m *Memo[T]) Get(s string, ask func(string) T) T {
	if v, ok := (*m)[s]; ok {
		return v
	}
	v := ask(s)
	if len(s) <= memoLength {
		if *m == nil || len(*m) >= memoEntries {
			*m = Memo[T]{}
		}
		(*m)[s] = v
	}
	return v
}
