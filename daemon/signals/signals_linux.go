package signals

import (
	"context"
	"os"
	"strconv"
	"time"

	"github.com/godbus/dbus/v5"

	"showhow/daemon/learn/port"
)

// Watch sends what logind reports until ctx ends, then closes the channel. Without a system bus it sends nothing; the
// other limits of capture still apply.
func Watch(ctx context.Context) <-chan port.Signal {
	out := make(chan port.Signal, 4)
	go func() {
		defer close(out)
		for ctx.Err() == nil {
			listenLogind(ctx, out)
			select { // no bus, or it went away
			case <-ctx.Done():
			case <-time.After(time.Minute):
			}
		}
	}()
	return out
}

const systemBus = "/run/dbus/system_bus_socket"

func listenLogind(ctx context.Context, out chan<- port.Signal) {
	if os.Getenv("DBUS_SYSTEM_BUS_ADDRESS") == "" {
		if _, err := os.Stat(systemBus); err != nil {
			return
		}
	}
	conn, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	if err != nil {
		return
	}
	defer conn.Close()
	for _, m := range [][]dbus.MatchOption{
		{dbus.WithMatchInterface("org.freedesktop.login1.Manager"), dbus.WithMatchMember("PrepareForSleep")},
		{dbus.WithMatchInterface("org.freedesktop.login1.Session"), dbus.WithMatchMember("Lock")},
		{dbus.WithMatchInterface("org.freedesktop.DBus.Properties"), dbus.WithMatchMember("PropertiesChanged"),
			dbus.WithMatchPathNamespace("/org/freedesktop/login1/session")},
	} {
		if conn.AddMatchSignal(m...) != nil {
			return
		}
	}
	in := make(chan *dbus.Signal, 16)
	conn.Signal(in)
	for {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-in:
			if !ok {
				return
			}
			if sig, ok := logindSignal(s, ownSession(conn)); ok {
				select {
				case out <- sig:
				case <-ctx.Done():
					return
				}
			}
		}
	}
}

// logindSignal parses one D-Bus signal; own is the object path of this user's session, "" when unknown (then any
// counts: pausing once too often is the safe side).
func logindSignal(s *dbus.Signal, own dbus.ObjectPath) (port.Signal, bool) {
	mine := own == "" || s.Path == own
	switch s.Name {
	case "org.freedesktop.login1.Manager.PrepareForSleep":
		if len(s.Body) == 1 && s.Body[0] == true {
			return port.Suspending, true
		}
	case "org.freedesktop.login1.Session.Lock":
		if mine {
			return port.ScreenLocked, true
		}
	case "org.freedesktop.DBus.Properties.PropertiesChanged":
		if len(s.Body) < 2 || !mine {
			return "", false
		}
		changed, _ := s.Body[1].(map[string]dbus.Variant)
		if v, ok := changed["LockedHint"]; ok && v.Value() == true {
			return port.ScreenLocked, true
		}
		if v, ok := changed["Active"]; ok && v.Value() == false {
			return port.UserSwitched, true
		}
	}
	return "", false
}

// ownSession asks logind for the session on this user's display.
func ownSession(conn *dbus.Conn) dbus.ObjectPath {
	user := dbus.ObjectPath("/org/freedesktop/login1/user/_" + strconv.Itoa(os.Getuid()))
	v, err := conn.Object("org.freedesktop.login1", user).GetProperty("org.freedesktop.login1.User.Display")
	if err != nil {
		return ""
	}
	pair, _ := v.Value().([]any)
	if len(pair) != 2 {
		return ""
	}
	p, _ := pair[1].(dbus.ObjectPath)
	return p
}
