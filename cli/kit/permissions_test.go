package kit

import (
	"bytes"
	"strings"
	"testing"

	"showhow/daemon/client"
)

// A skill that is open to a caller from elsewhere is for the agents of this computer as before, and the list says so.
func TestAgentsHereAndElsewhere(t *testing.T) {
	for _, c := range []struct {
		agents []string
		says   []string
	}{
		{[]string{"remote/clerk"}, []string{"agents       every agent of this computer", "elsewhere    remote/clerk"}},
		{[]string{"codex", "remote/clerk"}, []string{"agents       codex\n", "elsewhere    remote/clerk"}},
		{[]string{"codex"}, []string{"agents       codex\n"}},
	} {
		var out bytes.Buffer
		(&Env{Out: &out}).SayPermissions(client.Permissions{Agents: c.agents})
		for _, want := range c.says {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: %q is not in\n%s", c.agents, want, out.String())
			}
		}
		if strings.Contains(out.String(), "elsewhere") != (len(c.says) > 1) {
			t.Errorf("%v:\n%s", c.agents, out.String())
		}
	}
}
