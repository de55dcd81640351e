// Package tray is the icon in the desktop's panel: it shows at a glance what is watched, and lets the person pause,
// stop or answer with two clicks.
//
// It is a StatusNotifierItem with a com.canonical.dbusmenu menu on the session bus, which KDE, Xfce, LXQt, Cinnamon
// and MATE support, and GNOME with its AppIndicator extension. It implements D-Bus itself, because it has to know who
// clicked: any program on the session bus can send a click, so an answer that needs a person names the process that
// sent it, and the daemon checks that process as it checks its own callers (decisions D2). A menu entry is bound to
// what it was shown for: a click on a stale one does nothing.
//
// It runs without a bus and without a host and shows itself when they appear. It renews the indicator lease only
// while a host shows it and the shown state is the daemon's. It starts no daemon: without one it says that nothing is
// watched.
//
// Not guaranteed: that the panel's icon is visible; some hosts hide icons, and none reports it. Test against it with
// your own dbus-daemon and host; see tray_test.go.
package tray
