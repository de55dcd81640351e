package report

import (
	"os"
	"os/exec"
	"strings"

	"showhow/internal/plain"
)

// detachedMark tells a daemon that the process that started it does not stay; the command line sets the same
// variable.
const detachedMark = "SHOWHOW_DETACHED=1"

// startDaemon starts an absent daemon if an agent's runs are to be kept: after a reboot nothing else might start it.
// It gets the person's environment, not what the agent added for its own programs.
func startDaemon(program string) {
	cmd := exec.Command(program, "daemon", "--json")
	cmd.Dir, cmd.SysProcAttr = os.TempDir(), apart()
	cmd.Env = append(personal(os.Environ()), detachedMark)
	if cmd.Start() == nil {
		cmd.Process.Release()
	}
}

// personal are the variables that identify the person and locate things.
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
