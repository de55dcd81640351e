// Package overlay is a small window that stays on top of others while something is watched: what, since when, how much was kept,
// with a button to pause and one to stop. X11 only: Wayland lets no program keep a window above others.
//
// It takes no focus, is on every desktop, can be dragged elsewhere, comes when capture begins and goes when capture ends. It renews the
// indicator lease only while its window is mapped, on the screen and not wholly covered, and shows what the daemon says.
//
// Not guaranteed: that a compositing window manager says when the window is covered; most don't, and then nothing covers it
// either, because it is above. Test against it under Xvfb; see overlay_test.go.
package overlay
