// Package desktop is the window: the pages of app/web in a web view of the system's, over the daemon's socket.
//
// The window adds nothing to the API. It serves the embedded pages, hands /api/ on to the socket as it comes, streams
// included, and so has exactly the right of the person who started it: the daemon looks at its process as at any caller's.
// Where the daemon asks for a person's word, the window shows what is asked in a dialog of its own, which no page can draw,
// press or read, and only a yes lets the page have the confirmation.
//
// One window per person: a second start brings the first to the front. Size, place and being maximised are kept in the state
// folder, and nothing else is. A daemon that died under the window is started again; one that was stopped stays stopped, and
// the page says so.
//
// What needs GTK and cgo stands behind the build tag `desktop` (window.go); everything else is plain Go and is tested without
// a display. The real window is tested in smoke_test.go, under Xvfb, through its accessibility tree.
//
// Not guaranteed: macOS and Windows. The code builds on Wails, which knows both, but was never run there; on Windows the web
// view hands a stream on only when it ends, so that the pages would fall back to asking every few seconds.
package desktop
