package sandbox

import (
	"encoding/json"
	"fmt"
)

// order is what the first process in a box is told, over its standard input: arguments would be seen by every user of the machine.
type order struct {
	Shell string            `json:"shell"`
	Line  string            `json:"line"`
	Args  []string          `json:"args,omitempty"`  // a program instead of a line
	Until []string          `json:"until,omitempty"` // programs: the line is over as soon as they run
	Serve string            `json:"serve,omitempty"` // where the socket of the service is to be in the box
	Dir   string            `json:"dir"`
	Home  string            `json:"home"` // where a line is run when Dir cannot be made
	Env   map[string]string `json:"env"`
	UID   int               `json:"uid"` // to become, 0: stay
	Procs int               `json:"procs"`
	Bytes int64             `json:"bytes"`
	Relay bool              `json:"relay"`
	Talk  bool              `json:"talk,omitempty"` // what follows the order on standard input is the program's
}

// Where things are in the box.
const (
	helperPath  = "/run/showhow/box"
	socketPath  = "/run/showhow/proxy"
	relayAddr   = "127.0.0.1:3128"
	servicePath = "/run/showhow/service"
	stateFD     = 9 // where the shell says at its end where it is and what it exports
)

// The shell's own words around a line: at its end it says its folder and its exported variables.
const farewell = "trap 'command printf \"%s\\0\" \"$PWD\" >&9 2>/dev/null; /usr/bin/env -0 >&9 2>/dev/null' EXIT\n"

// farewellOfFish is the same for fish, which has no traps of this kind.
const farewellOfFish = "function showhow_farewell --on-event fish_exit; command printf '%s\\0' $PWD >&9 2>/dev/null; /usr/bin/env -0 " +
	">&9 2>/dev/null; end\n"

// ready is what the helper says before the shell begins: without it whatever happened was not the line's doing.
const ready = "ready\x00"

// ranMark stands before the name of a program that ran, behind what the shell said. No variable is told in this form.
const ranMark = "ran\x00"

// orderHead is how many characters before an order say its length, in hexadecimal.
const orderHead = 8

// written is an order as the helper reads it.
func (o order) written() ([]byte, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, "%0*x", orderHead, len(b)), b...), nil
}
