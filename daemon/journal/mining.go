package journal

// Events of mined routines; payloads hold ids, names of sources, counts and modes, never what was done.
const (
	MiningSettingsChanged EventKind = "mining.settings.changed" // payload mode and the consents that are given now
	MiningScanned         EventKind = "mining.scanned"          // payload works, steps, waiting; only when something new waits
	MiningOffered         EventKind = "mining.offered"          // a routine waits for a decision; payload cluster_id
	MiningDecided         EventKind = "mining.decided"          // payload cluster_id, decision
	MiningForgotten       EventKind = "mining.forgotten"        // fingerprints went: their source, consent or time ended; payload fingerprints
)
