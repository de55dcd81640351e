package sandbox

import (
	"encoding/json"
	"fmt"
)

// order is the job of the first process in a box, sent over its standard input: every user of the machine can see
// arguments.
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

// Paths in the box.
const (
	helperPath  = "/run/showhow/box"
	socketPath  = "/run/showhow/proxy"
	relayAddr   = "127.0.0.1:3128"
	servicePath = "/run/showhow/service"
	stateFD     = 9 // where the shell writes its farewell
)

// farewell is the shell code around a line: at its end it reports its folder and its exported variables.
const farewell = "trap 'command printf \"%s\\0\" \"$PWD\" >&9 2>/dev/null; /usr/bin/env -0 >&9 2>/dev/null' EXIT\n"

// farewellOfFish is the same for fish, which has no traps of this kind.
const farewellOfFish = "function showhow_farewell --on-event fish_exit; command printf '%s\\0' $PWD >&9 2>/dev/null; /usr/bin/env -0 " +
	">&9 2>/dev/null; end\n"

// ready is what the helper writes before the shell starts: without it the failure was not the line's.
const ready = "ready\x00"

// ranMark precedes the name of a program that ran, after the shell's farewell. No variable has this form.
const ranMark = "ran\x00"

// orderHead is the size of an order's length prefix: hexadecimal characters.
const orderHead = 8

// written encodes an order for the helper.
func (o order) written() ([]byte, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, "%0*x", orderHead, len(b)), b...), nil
}
