package signals

import (
	"testing"

	"github.com/godbus/dbus/v5"

	"showhow/daemon/learn/port"
)

func TestLogindSignals(t *testing.T) {
	const own, other = dbus.ObjectPath("/org/freedesktop/login1/session/_31"), dbus.ObjectPath("/org/freedesktop/login1/session/_32")
	changed := func(k string, v bool) []any {
		return []any{"org.freedesktop.login1.Session", map[string]dbus.Variant{k: dbus.MakeVariant(v)}, []string{}}
	}
	const props = "org.freedesktop.DBus.Properties.PropertiesChanged"
	for _, c := range []struct {
		sig  dbus.Signal
		want port.Signal
	}{
		{dbus.Signal{Name: "org.freedesktop.login1.Manager.PrepareForSleep", Body: []any{true}}, port.Suspending},
		{dbus.Signal{Name: "org.freedesktop.login1.Manager.PrepareForSleep", Body: []any{false}}, ""},
		{dbus.Signal{Name: "org.freedesktop.login1.Session.Lock", Path: own}, port.ScreenLocked},
		{dbus.Signal{Name: "org.freedesktop.login1.Session.Lock", Path: other}, ""},
		{dbus.Signal{Name: props, Path: own, Body: changed("LockedHint", true)}, port.ScreenLocked},
		{dbus.Signal{Name: props, Path: own, Body: changed("LockedHint", false)}, ""},
		{dbus.Signal{Name: props, Path: own, Body: changed("Active", false)}, port.UserSwitched},
		{dbus.Signal{Name: props, Path: other, Body: changed("Active", false)}, ""},
		{dbus.Signal{Name: props, Path: own}, ""},
	} {
		if got, _ := logindSignal(&c.sig, own); got != c.want {
			t.Errorf("%s %v: got %q, want %q", c.sig.Name, c.sig.Body, got, c.want)
		}
	}
}
