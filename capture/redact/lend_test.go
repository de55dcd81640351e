package redact

import "testing"

// The rules are loaded once for all who use them at a time, and stay until the last has given them back.
func TestLend(t *testing.T) {
	const text = "password=hunter2horse"
	lend := func() (*Redactor, func()) {
		r, giveBack, err := Lend()
		if err != nil {
			t.Fatal(err)
		}
		return r, giveBack
	}
	a, giveBackA := lend()
	b, giveBackB := lend()
	if a != b {
		t.Error("loaded twice")
	}
	giveBackA()
	giveBackA() // counts once
	release()
	want := shared().Text(text)
	if got := b.Text(text); got != want || want == text {
		t.Errorf("%q and not %q", got, want)
	}
	giveBackB()
	if c, giveBack := lend(); c != b {
		t.Error("released at once")
	} else {
		giveBack()
	}
	release()
	if c, giveBack := lend(); c == b || c.Text(text) != want {
		t.Error("not loaded again")
	} else {
		giveBack()
	}
	release()
}
