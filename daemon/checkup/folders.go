package checkup

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"showhow/browser"
)

// nearestExisting is dir or its nearest ancestor that exists.
func nearestExisting(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}

// writable reports whether a file can be created in dir, by creating one.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".showhow-")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// doctorFolders checks whether the skill folders are writable, and whether the data folders are private.
func (c *Checkup) doctorFolders(add func(name, state, detail, fix string)) {
	for _, t := range c.o.Config.Targets {
		name := "target " + t.Name
		parent := nearestExisting(t.Dir)
		if err := writable(parent); err != nil {
			add(name, "warning", "skills cannot be written there", "check the folder's permissions, or change config.toml")
			continue
		}
		add(name, "ok", c.o.Roots.Tilde(t.Dir), "")
	}
	for _, folder := range []struct{ name, dir string }{{"data", c.o.Roots.Data}, {"runtime", c.o.Roots.Runtime}} {
		name, dir := folder.name, folder.dir
		st, err := os.Stat(dir)
		switch {
		case err != nil:
			add(name, "failed", "the folder is gone", "restart the daemon: showhow daemon restart")
		case runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0:
			add(name, "warning", "others can look into the folder", fmt.Sprintf("chmod 700 %s", c.o.Roots.Tilde(dir)))
		default:
			add(name, "ok", c.o.Roots.Tilde(dir), "")
		}
	}
	if p := c.o.Roots.BrowserProfile(); p == browser.ManagedProfile() {
		add("browser profile", "ok", c.o.Roots.Tilde(p)+" is Chromium's own data and not covered by purge", "")
	}
}
