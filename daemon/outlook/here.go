package outlook

import (
	"path/filepath"

	"showhow/internal/config"
	"showhow/internal/paths"
)

// Here makes the service for this person's Outlook. The daemon and the command line have the same lock and switches.
func Here(r paths.Roots, instructs func(text string) []string) *Service {
	return New(Options{Lock: filepath.Join(r.State, "outlook.lock"), Home: r.Home, Instructs: instructs,
		Switches: func() (func(names ...string) Switches, error) {
			c, err := config.Load(r) // an edit counts at once, and a file with a mistake allows nothing
			return func(names ...string) (sw Switches) {
				sw.EmailSend, sw.CalendarWrite = c.OutlookMay(names...)
				return sw
			}, err
		}})
}
