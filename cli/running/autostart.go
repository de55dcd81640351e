package running

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"showhow/internal/fault"
)

// autostartMark is the line that marks an entry as ours; desktops ignore it.
const autostartMark = "X-Showhow-Entry=tray"

// autostart is the desktop's folder of programs to start at login.
func (e *env) autostart() string {
	return filepath.Join(filepath.Dir(filepath.Dir(e.Roots.Config)), "autostart", "showhow-tray.desktop")
}

// atLogin starts the tray at login, or no longer. An entry that is not ours is left alone.
func (e *env) atLogin(on bool) error {
	path := e.autostart()
	was, err := os.ReadFile(path)
	switch {
	case runtime.GOOS != "linux":
		return fault.New(fault.AdapterUnavailable, "starting at login is built for Linux desktops only")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(err, fault.Internal, "the autostart entry cannot be read").WithHint(
			"check the permissions of " + e.Roots.Tilde(filepath.Dir(path)))
	case err == nil && !strings.Contains(string(was), autostartMark):
		return fault.New(fault.DataDirForeign, "the autostart entry is not one that Showhow wrote").WithHint("look at " + e.Roots.Tilde(path))
	}
	if !on {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.Wrap(err, fault.Internal, "the autostart entry cannot be removed")
		}
		return e.Done(nil, "the icon is no longer started at login")
	}
	self, err := os.Executable()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, []byte(entryText(self)), 0o644)
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the autostart entry cannot be written").WithHint(
			"check the permissions of " + e.Roots.Tilde(filepath.Dir(path)))
	}
	return e.Done(nil, "the icon is started at login (%s)", e.Roots.Tilde(path))
}

func entryText(program string) string {
	// In an entry's command, backslash, quote, dollar, backtick and percent sign need escapes, and the value's
	// backslashes a second time.
	quoted := strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "$", `\\$`, "`", "\\\\`", "%", "%%").Replace(program)
	return "[Desktop Entry]\nType=Application\nName=Showhow\nComment=Shows what is watched\nExec=\"" + quoted +
		"\" tray\nTerminal=false\nNoDisplay=true\n" +
		"X-GNOME-Autostart-enabled=true\n" + autostartMark + "\n"
}
