package daemon

import (
	"time"

	"showhow/capture/redact"
	"showhow/daemon/contract"
	"showhow/internal/clock"
	"showhow/internal/version"
)

// newContract speaks the wire contract over what the daemon knows: what is missing in o is added.
func newContract(o contract.Options, find func(string) []redact.Span, now func() clock.Time) *contract.Service {
	o.Version = version.Get().Version
	o.Now = func() time.Time { return now().Time }
	o.Find = func(text string) (secrets, personal []string) {
		for _, sp := range find(redact.Clean(text)) {
			if sp.Kind.Personal() {
				personal = append(personal, string(sp.Kind))
			} else {
				secrets = append(secrets, string(sp.Kind))
			}
		}
		return secrets, personal
	}
	return contract.New(o)
}
