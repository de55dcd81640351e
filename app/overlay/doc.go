// Package overlay is a small window that stays on top of others while something is watched: what, since when, how
// much was kept, with a button to pause and one to stop. X11 only: Wayland does not let a program keep a window above
// others.
//
// It takes no focus, is on every desktop, can be dragged, appears when capture begins and disappears when capture
// ends. It renews the indicator lease only while its window is mapped, on the screen and not completely covered, and
// shows the daemon's state.
//
// Not guaranteed: that a compositing window manager reports when the window is covered; most do not, but then nothing
// covers it either, because it is on top. Test against it under Xvfb; see overlay_test.go.
package overlay
