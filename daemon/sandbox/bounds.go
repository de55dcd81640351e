//go:build linux || darwin

package sandbox

import "showhow/daemon/wire"

// boundsOf lists the limits of a box, and how this system enforces each.
func boundsOf(s Spec, network, filtered bool) []wire.SandboxBound {
	reach, calls := "closed", "unfiltered"
	if network {
		reach = "named_hosts"
	}
	if filtered {
		calls = "filtered"
	}
	return []wire.SandboxBound{
		{Of: "time", Amount: int64(s.Timeout.Seconds()), How: "ended"}, {Of: "output", Amount: s.MaxOutput, How: "ended"},
		{Of: "disk", Amount: s.MaxBytes, How: "watched"}, {Of: "memory", Amount: s.MaxMemory, How: "watched"},
		{Of: "processes", Amount: int64(s.MaxProcs), How: "refused"}, {Of: "network", How: reach}, {Of: "system_calls", How: calls},
	}
}
