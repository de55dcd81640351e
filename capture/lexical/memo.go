package lexical

// Memo remembers answers about short texts: pages and fields come again and again.
type Memo[T any] map[string]T

const (
	memoLength  = 512
	memoEntries = 4096
)

// Get returns the answer about s, asking for it when it is not remembered.
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
