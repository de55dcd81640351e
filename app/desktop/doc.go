// Package desktop is the window: the pages of app/web in the system's web view, over the daemon's socket.
//
// The window adds nothing to the API. It serves the embedded pages and forwards /api/ to the socket unchanged,
// streams included, and so has exactly the rights of the person who started it: the daemon checks its process like
// any caller's. Where the daemon requires a person's confirmation, the window asks in a dialog of its own, which no
// page can draw, press or read, and only a yes passes the confirmation on to the page.
//
// One window per person: a second start brings the first to the front. Only size, position and the maximised state
// are kept in the state folder. A daemon that crashed under the window is restarted; one that was stopped stays
// stopped, and the page says so.
//
// What needs GTK and cgo has the build tag `desktop` (window.go); everything else is plain Go and is tested without a
// display. app/e2e/window tests the real window under Xvfb, through its accessibility tree.
//
// Not guaranteed: macOS and Windows. The code builds on Wails, which supports both, but was never run there; on
// Windows the web view delivers a stream only when it ends, so the pages would fall back to polling every few
// seconds.
package desktop
