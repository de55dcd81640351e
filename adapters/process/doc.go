// Package process observes programs that a person starts, and on X11 which window they turn to (kind process_launch).
//
// One launch is one observation. A launch begins where a person stands: at the prompt of an interactive shell, in a panel, a
// menu, a file manager, the session's manager (launcher.go), or in a program that ran before capture began. Everything that
// the launched program starts in turn, forked twice, in a session of its own or given to another parent, belongs to that
// launch and is only counted (RawCommand.Children), except for what is started from another such place below it, as a shell
// in a terminal window. Below a launch that the scope does not name, the topmost program that it does name is a launch. What
// a program that ran before starts of itself, as a browser does for each page, is none.
//
// When it is reported: as soon as it and all it started have ended; else after a second, as still running, or after ten when
// it holds the foreground of its terminal, because there the exit code matters; at a pause or stop at once. A launch reported
// as running is not reported again when it ends. A program that hands over to one that runs already, as browsers do, ends
// within the second and is reported with its exit code.
//
// Under a terminal that the session names, the command is the terminal adapter's; what it starts is reported here only when
// the scope names the program as well, with Origin.Shell and Origin.PID set and no cause, so that both join by terminal and
// time. Otherwise it is folded into the command, and not counted.
//
// Sources, best first:
//
//   - The kernel's process connector on Linux (connector_linux.go): every fork, exec and exit, with the kernel's time. No
//     privilege from Linux 6.6 on, outside of pid and user namespaces. With the right to load a BPF program (root) the
//     kernel also hands over the arguments at the moment of the exec (exec_linux.go); without it they are read from /proc,
//     which a program of half a millisecond may have left by then, and where a wrapper has become what it wraps. What could
//     not be read is shown as "...".
//   - Looking every half second at what runs (poll.go), elsewhere or when the connector is refused. Health says so.
//
// Guarantees:
//
//   - Processes of other users are dropped before anything but their owner is read. Environments are never read.
//   - What is missed is counted as overflow: one for each program that was gone before anything could be known of it, one for
//     each message that the kernel dropped (at most that many programs), with degraded health. Polling cannot count what it
//     does not see; its health says that too.
//   - Showhow's own programs, and all they start but an interactive shell, are withheld as own; what a known agent's program
//     starts is withheld as observation_mode.
//   - The arguments of a browser keep only the sites that the scope names; a private window is withheld. A window's title is
//     handed over unless it is a browser's or a terminal's: those show what other adapters judge.
//   - The program that started a launch is named only when it is a place to start from, or named by the scope itself.
//
// Not guaranteed: what a shell runs for itself (in its own process group: prompts, completion) is left out, which in a shell
// without job control is everything. Under Wayland nobody tells which window is active. A program's name is what was executed
// (a script's own name); a hostile program of the same user can take any.
//
// The connector names processes of the initial namespaces; in a container it stays silent and polling takes over. A system
// package may ship a helper with CAP_NET_ADMIN for kernels before 6.6, one that sends its caller's processes only; there is
// none in this version.
//
// Test against it with real processes: process_test.go starts them below a shell of its own. The tracker alone is a function
// of changes and images, see tracker_test.go.
package process
