package arch

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// thin are the programs' outer rooms: they reach the daemon through its API alone, so that none of them is linked with what the
// daemon can do. The command line's work on this machine without a daemon (scanning a folder, the terminal's hook, wrapping a
// command) is the exception, and so is no part of the list.
var thin = []string{"showhow/app/tray", "showhow/app/desktop", "showhow/app/overlay", "showhow/daemon/client", "showhow/daemon/wire"}

// TestThinRoomsLinkNoCapability asks the toolchain what the thin rooms are built of.
func TestThinRoomsLinkNoCapability(t *testing.T) {
	may := []string{"showhow/daemon/wire", "showhow/daemon/client", "showhow/app", "showhow/internal"}
	for _, p := range thin {
		out, err := exec.Command("go", "list", "-deps", p).Output()
		if err != nil {
			t.Fatal(err)
		}
		deps := strings.Fields(string(out))
		if !slices.Contains(deps, p) {
			t.Fatalf("%s is not among its own dependencies", p)
		}
		for _, d := range deps {
			if strings.HasPrefix(d, "showhow/") && !slices.ContainsFunc(may, func(m string) bool { return under(d, m) }) {
				t.Errorf("%s is built with %s: it may know the API (daemon/wire, daemon/client) and leaves only", p, d)
			}
		}
	}
}
