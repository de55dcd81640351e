package arch

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"
)

// mostInit bounds what every start of the program costs before main: also that of an agent's hook.
const mostInit = 5 * time.Millisecond

// initLine matches the runtime's report about one package under GODEBUG=inittrace=1.
var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock, (\d+) bytes, (\d+) allocs$`)

// TestInitialisation sums the initialisation time of all packages of the program. Other programs can only make a
// start slower, so each package counts with the fastest of several starts.
func TestInitialisation(t *testing.T) {
	program := filepath.Join(t.TempDir(), "showhow")
	if out, err := exec.Command("go", "build", "-o", program, "showhow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	type cost struct {
		pkg    string
		clock  time.Duration
		allocs string
	}
	least := map[string]cost{}
	for range 20 {
		cmd := exec.Command(program, "version")
		cmd.Env = []string{"HOME=" + t.TempDir(), "GODEBUG=inittrace=1"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, m := range initLine.FindAllStringSubmatch(string(out), -1) {
			ms, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			c := cost{m[1], time.Duration(ms * float64(time.Millisecond)), m[4]}
			if old, ok := least[c.pkg]; !ok || c.clock < old.clock {
				least[c.pkg] = c
			}
		}
	}
	if len(least) < 50 {
		t.Fatalf("the runtime named %d packages: has the form of its lines changed?", len(least))
	}
	var all []cost
	sum := time.Duration(0)
	for _, c := range least {
		all = append(all, c)
		sum += c.clock
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Compare(b.clock, a.clock) })
	say := t.Logf
	if sum > mostInit {
		say = t.Errorf
	}
	say("initialising %d packages takes %v (at most %v); use internal/lazyre and sync.OnceValue", len(all), sum, mostInit)
	for _, c := range all[:12] {
		say("%10v %6s allocations %s", c.clock, c.allocs, c.pkg)
	}
}
