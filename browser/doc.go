// Package browser is Chromium for the recorder and for rehearsal alike: find it, launch it over a debugging pipe, talk to
// every tab, frame and popup, and end it cleanly. It knows nothing of what is observed.
//
//   - Find says where Chromium is, or how to install it.
//   - Launch starts one and returns a Browser: the process with its Conn. A Manager starts the managed browser when first
//     needed and shares it; Attach speaks to a Chromium that somebody else started with a debugging port.
//   - Conn carries any number of independent Clients over one connection. A Client has its own tree of Sessions: every page,
//     popup and out-of-process frame is attached as it appears, paused until the Client's Handler has prepared it.
//   - Session is a cdp.Session: the typed commands of cdproto run on it.
//
// Guarantees: a message is neither lost nor reordered within a Client. Handlers never run concurrently within a Client.
// The debugging port is closed unless asked for: a pipe answers only this process, a port every process of the machine
// (decisions B5). Close waits for the process group and removes a throw-away profile. When the process dies, Done is
// closed and every call in flight fails; no goroutine remains.
//
// Not guaranteed: that a handler which blocks keeps up; its Client's queue grows meanwhile.
//
// Test against a real Chromium in a throw-away profile (Options.Profile empty), headless.
package browser
