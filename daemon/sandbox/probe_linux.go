package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"showhow/internal/fault"
)

// Probe reports whether boxes can be made here, and if not, what to do about it.
func Probe() error {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return fault.New(fault.SandboxUnavailable, "bubblewrap is not installed, so commands cannot be rehearsed").WithHint(
			"install the package bubblewrap (sudo apt-get install bubblewrap)")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append(isolation(), "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink",
		"usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "/usr/bin/true")...)
	var complaint bytes.Buffer
	cmd.Env, cmd.Stderr = []string{}, &complaint
	if err := cmd.Run(); err != nil {
		return fault.Wrap(errors.Join(err, errors.New(strings.TrimSpace(complaint.String()))), fault.SandboxUnavailable,
			"this system does not let bubblewrap make a sandbox, so commands cannot be rehearsed").WithHint(remedy())
	}
	return nil
}

// remedy is the usual fix.
func remedy() string {
	switch {
	case setTo("/proc/sys/kernel/unprivileged_userns_clone", "0"):
		return "user namespaces are switched off: sudo sysctl kernel.unprivileged_userns_clone=1"
	case setTo("/proc/sys/user/max_user_namespaces", "0"):
		return "user namespaces are switched off: sudo sysctl user.max_user_namespaces=15000"
	case setTo("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"):
		return "AppArmor forbids user namespaces: allow them for bwrap with a profile, or sudo sysctl " +
			"kernel.apparmor_restrict_unprivileged_userns=0"
	}
	return "in a chroot nobody can; in a container, allow user namespaces and mounting of /proc (for example --security-opt " +
		"seccomp=unconfined --security-opt systempaths=unconfined)"
}

func setTo(name, value string) bool {
	raw, err := os.ReadFile(name)
	return err == nil && strings.TrimSpace(string(raw)) == value
}

// isolation lists the namespaces of every box. As root the box needs no user namespace: its first process drops root.
func isolation() []string {
	if os.Geteuid() == 0 {
		return []string{"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent",
			"--new-session",
			"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"}
	}
	return []string{"--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"}
}
