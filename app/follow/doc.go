// Package follow knows, live, what the daemon is doing, for what shows it beside the work: tray and overlay.
//
// A Follower listens to the daemon's event stream, which goes on by itself when the daemon was restarted, and looks again at
// every event and every second while something is watched. What it hands out is a View: a picture of now, never a difference;
// one that was missed is made good by the next. While the daemon does not answer, the View says so.
//
// Not guaranteed: every intermediate state. Two changes between two looks are one View.
// To test against it: a daemon on a socket in a folder of its own (see the tests of app/tray).
package follow
