package sandbox

import (
	"maps"
	"slices"
	"testing"
)

const psText = `    1     0     1     0 Ss    12345
  100     1   100   501 Ss     1000
  101   100   100   501 S+      200
  102   101   102   501 T        30
  103   102   103   501 R         4
  200     1   200   501 S      9999
  104     1   100   501 Z         0
  300     1   300   501 S         7
garbage
`

func pids(all []process) (out []int) {
	for _, p := range all {
		out = append(out, p.pid)
	}
	return out
}

func TestBelonging(t *testing.T) {
	all := parseTable(psText)
	if len(all) != 7 || all[0] != (process{100, 1, 100, 501, 'S', 1000 << 10}) {
		t.Fatalf("read %+v", all)
	}
	known := map[int]int{}
	if got := pids(belonging(all, 100, known)); !slices.Equal(got, []int{100, 101, 102, 103}) {
		t.Errorf("belong: %v", got)
	}
	// Everything between has ended: what left the group is still known, and what it starts; a number that was given again is not.
	later := parseTable("103 1 103 501 S 4\n105 103 105 501 S 4\n102 1 777 501 S 4\n200 1 200 501 S 4\n")
	if got := pids(belonging(later, 100, known)); !slices.Equal(got, []int{103, 105}) {
		t.Errorf("belong later: %v", got)
	}
	if want := map[int]int{103: 103, 105: 105}; !maps.Equal(known, want) {
		t.Errorf("known: %v", known)
	}
	if got := belonging(nil, 100, known); len(got) != 0 || len(known) != 0 {
		t.Errorf("nothing runs, but %v, %v", got, known)
	}
}

func TestTableStates(t *testing.T) {
	for _, p := range parseTable(psText) {
		if p.ended() != (p.pid == 104) || p.stopped() != (p.pid == 104 || p.pid == 102) {
			t.Errorf("%d is taken for ended %v, stopped %v", p.pid, p.ended(), p.stopped())
		}
	}
}
