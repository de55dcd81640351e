package arch

import (
	"cmp"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"
)

// mostInit bounds what every start of the program costs before main, on a machine that compiles the yardstick in usualYard. A slower
// machine has as much more time as it needs for the yardstick, a faster one no less.
const (
	mostInit  = 5 * time.Millisecond
	usualYard = 120 * time.Microsecond
)

// yardstick is the least of several times that this machine needs for work like that of an initialisation: small allocations.
func yardstick() time.Duration {
	least := time.Duration(math.MaxInt64)
	for range 200 {
		begin := time.Now()
		for range 20 {
			regexp.MustCompile(`(?i)^(?:[a-z]+ )?(\d{1,4}|one|two|three)(?:st|nd|rd|th)? (?:of )?(january|february|march|april)\b`)
		}
		least = min(least, time.Since(begin))
	}
	return least
}

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
	yard := yardstick()
	most := time.Duration(float64(mostInit) * max(1, float64(yard)/float64(usualYard)))
	say := t.Logf
	if sum > most {
		say = t.Errorf
	}
	say("initialising %d packages takes %v (at most %v, the yardstick %v); use internal/lazyre and sync.OnceValue", len(all), sum, most, yard)
	for _, c := range all[:12] {
		say("%10v %6s allocations %s", c.clock, c.allocs, c.pkg)
	}
}
