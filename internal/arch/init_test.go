package arch

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// What every start of the program may allocate before main, in all packages together: 14,150 allocations and 1.9 MB when this was set.
// Time is `start_ms` of the benchmarks; machines whose page faults are slow take four times as long for the same.
const (
	mostAllocations = 16_000
	mostBytes       = 2_300_000
)

// initLine matches the runtime's report about one package under GODEBUG=inittrace=1.
var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock, (\d+) bytes, (\d+) allocs$`)

// TestInitialisation sums what the initialisation of all packages of the program allocates.
func TestInitialisation(t *testing.T) {
	program := filepath.Join(t.TempDir(), "showhow")
	if out, err := exec.Command("go", "build", "-o", program, "showhow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program, "version")
	cmd.Env = []string{"HOME=" + t.TempDir(), "GODEBUG=inittrace=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	type cost struct {
		pkg           string
		bytes, allocs int
	}
	var all []cost
	bytes, allocs := 0, 0
	for _, m := range initLine.FindAllStringSubmatch(string(out), -1) {
		c := cost{pkg: m[1]}
		c.bytes, _ = strconv.Atoi(m[3])
		c.allocs, _ = strconv.Atoi(m[4])
		all = append(all, c)
		bytes, allocs = bytes+c.bytes, allocs+c.allocs
	}
	if len(all) < 50 {
		t.Fatalf("the runtime named %d packages: has the form of its lines changed?", len(all))
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Compare(b.allocs, a.allocs) })
	say := t.Logf
	if allocs > mostAllocations || bytes > mostBytes {
		say = t.Errorf
	}
	say("initialising %d packages takes %d allocations (at most %d) and %d bytes (at most %d); use internal/lazyre and sync.OnceValue",
		len(all), allocs, mostAllocations, bytes, mostBytes)
	for _, c := range all[:12] {
		say("%6d allocations %8d bytes %s", c.allocs, c.bytes, c.pkg)
	}
}
