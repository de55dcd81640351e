package terminal

import (
	"os"
	"path/filepath"
	"strings"

	"showhow/internal/fault"
	"showhow/internal/paths"
)

// Dir is where shells and adapter meet, below the runtime directory of the environment.
func Dir(getenv func(string) string) string { return dirIn(paths.RuntimeDir(getenv)) }

func dirIn(runtimeDir string) string { return filepath.Join(runtimeDir, "shell") }

// EnsureDir makes the meeting place private to this user: 0700 and owned by us, or an error.
// `shell-init` calls it so that a shell can register itself.
func EnsureDir(runtimeDir string) error {
	for _, dir := range []string{runtimeDir, dirIn(runtimeDir)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return unusable(err)
		}
		fi, err := os.Lstat(dir)
		if err != nil {
			return unusable(err)
		}
		if !fi.IsDir() || !ownedByUs(fi) {
			return unusable(nil)
		}
		if fi.Mode().Perm()&0o077 != 0 {
			if err := os.Chmod(dir, 0o700); err != nil {
				return unusable(err)
			}
		}
	}
	return nil
}

func unusable(err error) error {
	return fault.Wrap(err, fault.AdapterUnavailable, "the folder for the shells' pipes cannot be used").
		WithHint("the runtime directory ($XDG_RUNTIME_DIR/showhow) must be yours and writable")
}

// ValidTTY reports whether tty names one terminal as a scope does: "pts/3", "tty1", "ttys003".
func ValidTTY(tty string) bool {
	rest, ok := strings.CutPrefix(tty, "pts/")
	if !ok {
		if rest, ok = strings.CutPrefix(tty, "ttys"); !ok {
			rest, ok = strings.CutPrefix(tty, "tty")
		}
	}
	return ok && rest != "" && len(rest) <= 6 && strings.Trim(rest, "0123456789") == ""
}

// fileName is the tty in a file name: pts/3 is pts-3.
func fileName(tty string) string { return strings.ReplaceAll(tty, "/", "-") }

func ttyOfFile(name string) string {
	if rest, ok := strings.CutPrefix(name, "pts-"); ok {
		return "pts/" + rest
	}
	return name
}
