// Package sandbox runs command lines where they can do no harm: in a box made by bubblewrap with a scratch folder as
// home, the system's programs read-only, an empty environment and no network, or only the hosts that somebody named.
//
// Guaranteed on Linux: a command sees neither the person's home nor the daemon's socket, the keychain or any process
// outside; it can write only to the scratch folder and /tmp; it cannot gain rights, type into a terminal, trace or
// mount. Time, output, disk, memory and processes are bounded (Box.Limits says how). When a line has ended, everything
// that it started has ended, too. The network is reached through an allow-list proxy over a bound Unix socket: no
// other address and no name service. From one line to the next only the folder and the exported variables stay, as in
// a person's shell. Close removes the scratch folder and checks that it is gone.
//
// Not guaranteed: that a program which exploits the kernel stays inside; that disk and memory are bounded to the byte
// (they are checked ten times a second); which of an allowed host's services is meant once a connection is encrypted.
//
// On macOS the walls are a Seatbelt profile (seatbelt.go) for sandbox-exec. It was never tried there; only the
// profile's text and the parsing of process tables are tested. Its limits: nothing is mounted, so the scratch folder
// has its real path and TMPDIR replaces /tmp; there is no process namespace, so a process that left the box's process
// group before it was seen (once a second, and at the end) is not ended, though it keeps the walls; no control group,
// so memory is checked once a second, and RLIMIT_NPROC also counts what the account runs elsewhere; no filter of
// system calls; the proxy is a port of this machine, which other programs may use as well; programs in the box cannot
// listen. RunUntil with programs is refused, and so is root. Limits reports all of it that concerns a run. On Windows
// there is no box: Probe says so.
//
// The program re-executes itself inside the box as its first process; a binary that imports this package needs nothing
// for it. Testing against it: the real bubblewrap, with short lines; see the attacks in the tests.
package sandbox
