package terminal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"showhow/internal/fault"
)

// dirIn is where shells and adapter meet.
func dirIn(runtimeDir string) string { return filepath.Join(runtimeDir, "shell") }

// EnsureDir makes the meeting place private to this user: mode 0700 and owned by us, or an error. `shell-init` calls
// it so that a shell can register itself.
func EnsureDir(runtimeDir string) error {
	for _, dir := range []string{runtimeDir, dirIn(runtimeDir)} {
		if err := private(dir); err != nil {
			return unusable(err)
		}
	}
	return nil
}

// private creates a folder of ours that only we can enter.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	fi, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !fi.IsDir() || !ownedByUs(fi) {
		return os.ErrPermission
	}
	if fi.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// Sweep removes what daemons that are gone have left behind: pipes that shells would check in vain, and files in
// which fish had written to them.
func Sweep(runtimeDir string) {
	dir := dirIn(runtimeDir)
	whos, _ := filepath.Glob(filepath.Join(dir, "*.who"))
	for _, who := range whos {
		fi, err := os.Lstat(who)
		if err != nil || !fi.Mode().IsRegular() || fi.Size() > 8<<10 {
			continue
		}
		data, err := os.ReadFile(who)
		pid, nonce, ok := reader(string(data))
		if err != nil || !ok || pid == os.Getpid() || alive(pid) {
			continue
		}
		tty := strings.TrimSuffix(who, ".who")
		for _, path := range []string{tty + ".fifo", tty + "." + nonce, who} {
			_ = os.Remove(path)
		}
	}
	base := spoolBase(runtimeDir)
	if base == "" {
		return
	}
	if fi, err := os.Lstat(base); err != nil || !fi.IsDir() || !ownedByUs(fi) {
		return
	}
	spools, _ := os.ReadDir(base)
	for _, e := range spools {
		if pid, err := strconv.Atoi(strings.SplitN(e.Name(), ".", 2)[0]); err == nil && pid != os.Getpid() && !alive(pid) {
			_ = os.RemoveAll(filepath.Join(base, e.Name()))
		}
	}
}

// reader parses a who file: the reader's pid and its nonce, which is part of a file's name.
func reader(s string) (pid int, nonce string, ok bool) {
	f := strings.Fields(s)
	if len(f) < 3 {
		return 0, "", false
	}
	pid, err := strconv.Atoi(f[0])
	return pid, f[1], err == nil && pid > 0 && f[1] == filepath.Base(f[1]) && !strings.HasPrefix(f[1], ".")
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
