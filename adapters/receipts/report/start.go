package report

import (
	"os"
	"os/exec"
	"strings"

	"showhow/internal/plain"
)

// detachedMark tells a daemon that whoever started it does not stay; the command line sets the same.
const detachedMark = "SHOWHOW_DETACHED=1"

// startDaemon starts a daemon that is away although an agent's runs are to be kept: after a reboot nobody else might. It gets
// the person's environment, not what the agent added for its own programs.
func startDaemon() {
	self, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(self, "daemon", "--json")
	cmd.Dir, cmd.SysProcAttr = os.TempDir(), apart()
	cmd.Env = append(personal(os.Environ()), detachedMark)
	if cmd.Start() == nil {
		cmd.Process.Release()
	}
}

// personal are the variables that say who the person is and where things are.
func personal(env []string) []string {
	var out []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if persons[name] || strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "SHOWHOW_TEST_") {
			out = append(out, kv)
		}
	}
	return out
}

var persons = plain.Set("HOME USER LOGNAME SHELL PATH LANG TMPDIR TZ DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS " +
	"SHOWHOW_DATA SYSTEMROOT USERPROFILE LOCALAPPDATA APPDATA TEMP TMP")
