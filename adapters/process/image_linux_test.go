package process

import "testing"

func FuzzStat(f *testing.F) {
	f.Add("42 (a) b) (c) S 1 42 42 34817 42 4194560 0 0 0 0 0 0 0 0 20 0 1 0 12345 0")
	f.Add("")
	f.Add("1 (")
	f.Fuzz(func(t *testing.T, s string) {
		var i image
		i.stat([]byte(s))
	})
}
