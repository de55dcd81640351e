package signals

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

// bus starts a bus of its own that stands for the system's.
func bus(t *testing.T) *dbus.Conn {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("no dbus-daemon here")
	}
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", strings.TrimSpace(address))
	conn, err := dbus.ConnectSystemBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func serve(t *testing.T, conn *dbus.Conn, service string, path dbus.ObjectPath, iface, name string, v any) {
	t.Helper()
	if _, err := prop.Export(conn, path, prop.Map{iface: {name: {Value: v}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(service, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
}

func TestMachine(t *testing.T) {
	conn := bus(t)
	if got := Machine(context.Background()); got != (State{}) {
		t.Errorf("nobody answers: %+v", got)
	}
	serve(t, conn, "org.freedesktop.UPower", "/org/freedesktop/UPower", "org.freedesktop.UPower", "OnBattery", true)
	serve(t, conn, "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager", "Metered", uint32(3))
	session := dbus.ObjectPath("/org/freedesktop/login1/session/_31")
	user := dbus.ObjectPath("/org/freedesktop/login1/user/_" + strconv.Itoa(os.Getuid()))
	serve(t, conn, "org.freedesktop.login1", user, "org.freedesktop.login1.User", "Display", struct {
		ID   string
		Path dbus.ObjectPath
	}{"31", session})
	serve(t, conn, "org.freedesktop.login1", session, "org.freedesktop.login1.Session", "LockedHint", true)
	if got := Machine(context.Background()); got != (State{Locked: true, Metered: true, Battery: true}) {
		t.Errorf("%+v", got)
	}
}

func TestMeteredValues(t *testing.T) {
	for v, want := range map[uint32]bool{0: false, 1: true, 2: false, 3: true, 4: false} {
		if metered[v] != want {
			t.Errorf("%d: %v", v, metered[v])
		}
	}
}
