package arch

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// thin are the outer packages: they reach the daemon only through its API, so none of them may link the daemon's
// capabilities. The command line works without a daemon in some commands (scanning a folder, the terminal's hook,
// wrapping a command), and is therefore not on the list.
var thin = []string{"showhow/app/tray", "showhow/app/desktop", "showhow/app/overlay", "showhow/daemon/client", "showhow/daemon/wire"}

// TestThinRoomsLinkNoCapability asks the go command for the dependencies of the thin packages.
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
