// Package sandbox runs command lines where they can harm nothing: in a box made by bubblewrap with a scratch folder as home,
// the system's programs read-only, an empty environment and no network, or only the hosts that somebody named.
//
// What it promises on Linux: a command sees neither the person's home nor the daemon's socket, the keychain or any process
// outside; it can write to the scratch folder and /tmp alone; it cannot take new rights, type into a terminal, trace or mount.
// Time, output, disk, memory and processes are bounded (Box.Limits says how). When a line has ended, whatever it started has
// ended, too. The network is reached through an allow-list proxy over a bound Unix socket: no other address and no name service.
// From one line to the next only the folder and the exported variables stay, as in a person's shell. Close removes the scratch
// folder and looks whether it is gone.
//
// What it does not promise: to keep a program that exploits the kernel inside; to bound disk and memory to the byte (they are
// looked at ten times a second); to see which of an allowed host's services is meant once a connection is encrypted.
//
// On macOS the walls are a Seatbelt profile (seatbelt.go) that sandbox-exec is given. Nobody ever tried it there; only the
// profile's text and the reading of process tables are tested. What it cannot give: nothing is mounted, so the scratch folder
// has its real path and TMPDIR stands for /tmp; there is no process namespace, so what left the box's process group before it
// was seen (once a second, and at the end) is not ended, though it keeps the walls; no control group, so memory is looked at
// once a second, and RLIMIT_NPROC counts what the account runs elsewhere, too; no filter of system calls; the proxy is a port
// of this machine, which other programs may use as well; programs in the box cannot listen. RunUntil with programs is refused,
// and so is root. Limits says all of it that concerns a run. On Windows there is no box: Probe says so.
//
// The program re-executes itself inside the box as its first process; a binary that imports this package needs nothing for it.
// Testing against it: the real bubblewrap, with short lines; see the attacks in the tests.
package sandbox
