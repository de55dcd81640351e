// Package desktop finds out what this session's desktop can show: whether a panel takes icons, and whether a small
// window can stay on top of others. It changes nothing.
//
// Not guaranteed: that an icon is visible. Some panels hide icons, and none reports it.
package desktop

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/godbus/dbus/v5"
)

// Watcher is the D-Bus name and path of the list of the panel's icons on the session bus.
const (
	Watcher     = "org.kde.StatusNotifierWatcher"
	WatcherPath = dbus.ObjectPath("/StatusNotifierWatcher")
)

// within is how long a panel may take to answer; one that hangs counts as showing nothing.
const within = 2 * time.Second

// Bus connects to the session bus at address; "" is the environment's. It never starts a bus of its own, to which
// nobody would listen.
func Bus(ctx context.Context, address string) (*dbus.Conn, error) {
	if address == "" {
		address = os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	}
	if address == "" {
		address = fmt.Sprintf("unix:path=/run/user/%d/bus", os.Getuid())
	}
	return dbus.Connect(address, dbus.WithContext(ctx))
}

// PanelOn reports whether a panel on this bus shows icons right now.
func PanelOn(ctx context.Context, bus *dbus.Conn) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var there dbus.Variant
	err := bus.Object(Watcher, WatcherPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart,
		Watcher, "IsStatusNotifierHostRegistered").Store(&there)
	on, _ := there.Value().(bool)
	return err == nil && on
}

// Panel reports whether a panel of this session shows icons right now.
func Panel(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*within)
	defer cancel()
	bus, err := Bus(ctx, address)
	if err != nil {
		return false
	}
	defer bus.Close()
	return PanelOn(ctx, bus)
}

// OnTop is the X11 display on which a small window can stay above others; if "", why says why not. Wayland does not
// allow it.
func OnTop(getenv func(string) string) (display, why string) {
	switch {
	case getenv("WAYLAND_DISPLAY") != "" || getenv("XDG_SESSION_TYPE") == "wayland":
		return "", "Wayland lets no program keep a window above others"
	case getenv("DISPLAY") == "":
		return "", "there is no X11 display"
	}
	return getenv("DISPLAY"), ""
}
