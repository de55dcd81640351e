// Package paths says where Showhow keeps what: one place for every root, from the environment.
//
//	data     $SHOWHOW_DATA, else $XDG_DATA_HOME/showhow        database, keys, logs, memory root
//	memory   <data>/memory                                     canonical files that other programs read
//	runtime  $XDG_RUNTIME_DIR/showhow                          socket, shell pipes (tmpfs)
//	config   $XDG_CONFIG_HOME/showhow/config.toml
//	state    $XDG_STATE_HOME/showhow                           the managed browser's profile
package paths

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Roots are the folders of one installation.
type Roots struct {
	Home    string
	Data    string
	Memory  string
	Runtime string
	Config  string // the file
	State   string
}

// FromEnv reads the roots from the environment of this process.
func FromEnv() (Roots, error) { return From(os.Getenv) }

// From is FromEnv with an injected environment.
func From(getenv func(string) string) (Roots, error) {
	home := getenv("HOME")
	if home == "" {
		if runtime.GOOS == "windows" {
			home = getenv("USERPROFILE")
		}
		if home == "" {
			return Roots{}, fmt.Errorf("HOME is not set")
		}
	}
	xdg := func(name, fallback string) string {
		if v := getenv(name); filepath.IsAbs(v) {
			return filepath.Join(v, "showhow")
		}
		return filepath.Join(home, filepath.FromSlash(fallback), "showhow")
	}
	r := Roots{
		Home:   home,
		Data:   xdg("XDG_DATA_HOME", ".local/share"),
		Config: filepath.Join(xdg("XDG_CONFIG_HOME", ".config"), "config.toml"),
		State:  xdg("XDG_STATE_HOME", ".local/state"),
	}
	if v := getenv("SHOWHOW_DATA"); v != "" {
		abs, err := filepath.Abs(v)
		if err != nil {
			return Roots{}, err
		}
		r.Data = abs
	}
	r.Memory = filepath.Join(r.Data, "memory")
	r.Runtime = RuntimeDir(getenv)
	return r, nil
}

// Variables returns those that are set of the variables that locate an installation. A program that is started with a
// small environment of its own, as agents start MCP servers, needs them to find it.
func Variables(getenv func(string) string) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "SHOWHOW_DATA"} {
		if v := getenv(name); v != "" {
			out[name] = v
		}
	}
	return out
}

// RuntimeDir is the folder of the socket and the shell pipes: $XDG_RUNTIME_DIR/showhow, else $TMPDIR or /tmp plus
// showhow-<uid>. Shell hooks compute the same path, so keep the two alike (adapters/terminal).
func RuntimeDir(getenv func(string) string) string {
	if v := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(v) {
		return filepath.Join(v, "showhow")
	}
	tmp := getenv("TMPDIR")
	if !filepath.IsAbs(tmp) {
		tmp = os.TempDir()
	}
	return filepath.Join(tmp, fmt.Sprintf("showhow-%d", os.Getuid()))
}

// Socket is the path of the daemon's socket.
func (r Roots) Socket() string { return filepath.Join(r.Runtime, "daemon.sock") }

// LoginFile keeps browser tabs logged in when the daemon is restarted.
func (r Roots) LoginFile() string { return filepath.Join(r.Runtime, "logins.json") }

// WindowLock, TrayLock and OverlayLock are held by the single running window, tray and overlay.
func (r Roots) WindowLock() string  { return filepath.Join(r.Runtime, "window.lock") }
func (r Roots) TrayLock() string    { return filepath.Join(r.Runtime, "tray.lock") }
func (r Roots) OverlayLock() string { return filepath.Join(r.Runtime, "overlay.lock") }

// LogDir holds the daemon's rotated logs.
func (r Roots) LogDir() string { return filepath.Join(r.Data, "logs") }

// BrowserProfile is the managed browser's own data.
func (r Roots) BrowserProfile() string { return filepath.Join(r.State, "browser") }

// Tilde shortens a path under home for display.
func (r Roots) Tilde(p string) string {
	if rel, err := filepath.Rel(r.Home, p); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return p
}
