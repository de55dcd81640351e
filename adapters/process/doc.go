// Package process observes programs that a person starts, and on X11 the active window (kind process_launch).
//
// One launch is one observation. A launch is a program started from a launcher (launcher.go: an interactive shell at
// its prompt, a panel, a menu, a file manager, the session manager) or from a program that ran before capture began.
// Everything that the launched program starts in turn, even if it forked twice, has its own session or was
// reparented, belongs to that launch and is only counted (RawCommand.Children), unless another launcher below it
// starts it, such as a shell in a terminal window. Below a launch that the scope does not name, the topmost program
// that it does name is a launch. Processes that an already running program starts for itself, as a browser does for
// each page, are not launches.
//
// A launch is reported as soon as it and everything it started have ended; otherwise after a second, as still
// running, or after ten if it holds the foreground of its terminal, because there the exit code matters; at a pause
// or stop at once. A launch reported as running is not reported again when it ends. A program that hands over to a
// running instance, as browsers do, ends within the second and is reported with its exit code.
//
// In a terminal that the session names, the terminal adapter reports the command. What the command starts is reported
// here only if the scope names that program as well, with Origin.Shell and Origin.PID set and no cause, so that both
// join by terminal and time. Otherwise it is folded into the command, and not counted.
//
// Sources, best first:
//
//   - The kernel's process connector on Linux (connector_linux.go): every fork, exec and exit, with the kernel's time. It needs no
//     privilege from Linux 6.6 on, outside of pid and user namespaces. With the right to load a BPF program (root) the
//     kernel also delivers the arguments at the moment of the exec (exec_linux.go); otherwise they are read from
//     /proc, which may be too late for a program that lives half a millisecond, and for a wrapper that has become what
//     it wraps. What could not be read is shown as "...".
//   - Polling the running processes every half second (poll.go), on other systems or if the connector is refused. Health says so.
//
// Guarantees:
//
//   - Processes of other users are dropped before anything but their owner is read. Environments are never read.
//   - Misses are counted as overflow: one for each program that was gone before anything could be read, one for each
//     message that the kernel dropped (at most that many programs), with degraded health. Polling cannot count what it
//     does not see; its health says that too.
//   - Showhow's own programs, and all they start except an interactive shell, are withheld as own; what a known agent's
//     program starts is withheld as observation_mode.
//   - Of a browser's arguments only the sites that the scope names are kept; a private window is withheld. A window's title is
//     included unless it is a browser's or a terminal's: those show what other adapters judge.
//   - The program that started a launch is named only if it is a launcher, or named by the scope itself.
//
// Not guaranteed: what a shell runs for itself (in its own process group: prompts, completion) is excluded, which in
// a shell without job control is everything. Under Wayland no program can ask for the active window. A program's name
// is what was executed (a script's own name); a hostile program of the same user can take any name.
//
// The connector reports processes of the initial namespaces; in a container it stays silent and polling takes over.
// For kernels before 6.6 a system package may ship a helper with CAP_NET_ADMIN that sends only its caller's
// processes; this version has none.
//
// Test against it with real processes: process_test.go starts them below a shell of its own. The tracker alone is a
// function of changes and images, see tracker_test.go.
package process
