// Package browser finds, launches, drives and stops Chromium, for the recorder and for rehearsal
// alike: it connects over a debugging pipe and talks to every tab, frame and popup. It does not
// know what is observed.
//
//   - Find says where Chromium is, or how to install it.
//   - Launch starts one and returns a Browser: the process with its Conn. A Manager starts the
//     managed browser on first use and shares it; Attach connects to a Chromium that somebody
//     else started with a debugging port.
//   - Conn carries any number of independent Clients over one connection. A Client has its own
//     tree of Sessions: every page, popup and out-of-process frame is attached as it appears
//     and stays paused until the Client's Handler has prepared it.
//   - Session is a cdp.Session: the typed commands of cdproto run on it.
//
// Guarantees: within a Client, messages are neither lost nor reordered, and handlers never run
// concurrently. The debugging port stays closed unless requested: a pipe serves only this process,
// a port every process on the machine (decisions B5). Close waits for the process group and removes
// a throw-away profile. When the process dies, Done is closed, every pending call fails and no
// goroutine remains.
//
// Not guaranteed: that a handler which blocks keeps up; its Client's queue grows meanwhile.
//
// Test against a real headless Chromium with a throw-away profile (empty Options.Profile).
package browser
