// Package tray is the icon in the desktop's panel: what is watched at a glance, and pause, stop or answer with two clicks.
//
// It is a StatusNotifierItem with a com.canonical.dbusmenu menu on the session bus, which KDE, Xfce, LXQt, Cinnamon and MATE show, and
// GNOME with its AppIndicator extension. It speaks D-Bus itself, because it has to know who clicked: any program on the session
// bus can send a click, so an answer that needs a person names the process that sent it, and the daemon examines that process
// as it examines its own callers (decisions D2). An entry of the menu is bound to what it was shown for: a click on one that
// has become stale does nothing.
//
// It lives without a bus and without a host and shows itself when they come. It renews the indicator lease only while a host
// shows it and the shown state is the daemon's. It starts no daemon: without one it says that nothing is watched.
//
// Not guaranteed: that the panel's icon is in sight; some hosts fold icons away, and none says so.
// Test against it with a dbus-daemon of your own and a host of your own; see tray_test.go.
package tray
