package signals

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"
)

// State holds reasons of the machine against doing something unasked.
type State struct {
	Locked  bool // the person's session is
	Metered bool // the connection is, or probably is
	Battery bool
}

// metered are NetworkManager's values for yes and for a guess of yes.
var metered = map[uint32]bool{1: true, 3: true}

// Machine asks logind, NetworkManager and UPower. A service that does not answer within a second, or is missing, gives
// no reason.
func Machine(ctx context.Context) (s State) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	if err != nil {
		return s
	}
	defer conn.Close()
	var m uint32
	property(ctx, conn, "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager.Metered", &m)
	s.Metered = metered[m]
	property(ctx, conn, "org.freedesktop.UPower", "/org/freedesktop/UPower", "org.freedesktop.UPower.OnBattery", &s.Battery)
	if own := ownSession(conn); own != "" {
		property(ctx, conn, "org.freedesktop.login1", own, "org.freedesktop.login1.Session.LockedHint", &s.Locked)
	}
	return s
}

// property reads one property into v; v is unchanged without an answer of its type.
func property(ctx context.Context, conn *dbus.Conn, service string, path dbus.ObjectPath, name string, v any) {
	i := len(name) - 1
	for i >= 0 && name[i] != '.' {
		i--
	}
	var got dbus.Variant
	err := conn.Object(service, path).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, name[:i], name[i+1:]).
		Store(&got)
	if err == nil {
		_ = got.Store(v)
	}
}
