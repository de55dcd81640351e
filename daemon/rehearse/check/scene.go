package check

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/workflow"
)

// Hear collects messages, because some vanish before the checks are judged.
func (sc *Scene) Hear(st capture.State) {
	for _, a := range st.Alerts {
		if !slices.Contains(sc.Alerts, a) {
			sc.Alerts = append(sc.Alerts, a)
		}
	}
}

// Scene is everything that the checks after a step can observe.
type Scene struct {
	Before  capture.State
	Past    []capture.State // states before that, oldest first
	Alerts  []string        // messages seen since the action, including those gone again
	Text    string          // visible text, for checks of the kind text
	Out     port.Outcome
	Opened  bool   // the step opened an address: the page may write a route of its own behind it
	Behind  string // where the step's target was found if it was not in view: on page 3
	Command *port.CommandResult
	Called  *port.CallResult // of a connector's tool
	Counts  map[string]int   // input of a loop -> its number of items
	Dir     string           // absolute, where the command ran
	Already map[string]bool  // checkpoints that already held before the act, as far as observed
	Early   map[string]bool  // those that held before the action's request was sent: the page showed them by itself
	Room    port.Room
}

// Each returns how often a delta counts: once, or once for every item that was gathered.
func (sc *Scene) Each(c workflow.Check) int {
	if n := sc.Counts[strings.Trim(c.Extra["each"], "{}")]; n > 0 {
		return n
	}
	return 1
}
