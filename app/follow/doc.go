// Package follow tracks the daemon's state live, for tray and overlay.
//
// A Follower listens to the daemon's event stream, which reconnects when the daemon was restarted, and polls at every
// event and every second while something is watched. It delivers Views: snapshots, never differences, so a missed one
// is made good by the next. While the daemon does not answer, the View says so.
//
// Not guaranteed: every intermediate state. Two changes between two polls are one View. To test against it: a daemon
// on a socket in a folder of its own (see the tests of app/tray).
package follow
