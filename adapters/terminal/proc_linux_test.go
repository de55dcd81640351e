package terminal

import "testing"

func TestParseStat(t *testing.T) {
	p, ok := parseStat(7, "7 (a ) (b) S 1 7 7 34819 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 99 1 2 3")
	if !ok || p.name != "a ) (b" || p.tty != "pts/3" || p.start != 99 {
		t.Errorf("%+v %v", p, ok)
	}
	if _, ok := parseStat(7, "7 (gone) Z 1 7 7 34819 7 4194304 1 2 3 4 5 6 7 8 20 0 1 0 99 1 2 3"); ok {
		t.Error("a zombie is no shell")
	}
	for dev, want := range map[uint32]string{0: "", 136 << 8: "pts/0", 137<<8 | 1: "pts/257", 136<<8 | 5 | 1<<20: "pts/261", 4<<8 | 2: "tty2",
		5 << 8: ""} {
		if got := ttyName(dev); got != want {
			t.Errorf("tty %#x is %q, want %q", dev, got, want)
		}
	}
}
