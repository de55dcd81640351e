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
// looked at ten times a second); to see which of an allowed host's services is meant once a connection is encrypted. On other
// systems there is no box: Probe says so.
//
// The program re-executes itself inside the box as its first process; a binary that imports this package needs nothing for it.
// Testing against it: the real bubblewrap, with short lines; see the attacks in the tests.
package sandbox
