package ability

import (
	"strings"
	"testing"

	"showhow/internal/fault"
)

// Whoever is refused a skill is told the command that helps: for a quarantined one it is not approving.
func TestMayLeaveNamesTheCommand(t *testing.T) {
	for _, c := range []struct{ trust, lane, hint string }{
		{TrustApproved, LaneQuarantined, "showhow ability unquarantine bind-pages"},
		{"unreviewed", LaneQuarantined, "showhow ability unquarantine bind-pages"},
		{"unreviewed", "user", "showhow skill approve bind-pages"},
		{TrustApproved, "user", ""},
	} {
		err := MayLeave("bind-pages", c.trust, c.lane, "exported")
		if c.hint == "" {
			if err != nil {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if !fault.Is(err, fault.TrustRequired) || !strings.Contains(fault.From(err).Hint, c.hint) ||
			!strings.HasPrefix(fault.From(err).Message, "the skill bind-pages ") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
