package template

import "testing"

// A fixed part of an address is escaped as the path or the query requires.
func TestWhatBelongsToAnAddress(t *testing.T) {
	g := NewGeneraliser(nil)
	g.Fixed = map[string]string{"v_a": "oak & ash/old wood", "v_b": "north+south?"}
	for address, want := range map[string]string{
		"https://x.example/woods/[[text 18 v_a]]/map":          "https://x.example/woods/oak%20&%20ash/old%20wood/map",
		"https://x.example/woods?named=[[text 18 v_a]]&n=1":    "https://x.example/woods?named=oak+%26+ash/old+wood&n=1",
		"https://x.example/[[text 12 v_b]]?at=[[text 12 v_b]]": "https://x.example/north+south%3F?at=north%2Bsouth%3F",
		"https://x.example/?n=1#/woods/[[text 18 v_a]]":        "https://x.example/?n=1#/woods/oak%20&%20ash/old%20wood",
		"https://x.example/#/woods?named=[[text 18 v_a]]":      "https://x.example/#/woods?named=oak+%26+ash/old+wood",
	} {
		if got := g.Address(address); got != want {
			t.Errorf("%s: %s, not %s", address, got, want)
		}
	}
}
