package sandbox

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// needs fails in CI where bubblewrap is not installed, and skips where the system does not let it work: in a chroot,
// and in containers without rights of their own, no box can be made.
func needs(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("bwrap"); err != nil && os.Getenv("CI") != "" {
		t.Fatalf("install bubblewrap (build/setup.sh does): %v", err)
	}
	if err := Probe(); err != nil {
		t.Skip(err)
	}
}

// Root and other accounts are kept in by different means: what root runs is run once more as somebody else.
func TestAsAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	needs(t)
	const uid = 54321
	dir, err := os.MkdirTemp("", "sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	name := filepath.Join(dir, "sandbox.test")
	out, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{dir, name} {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, sub := range []string{"home", "tmp"} {
		p := filepath.Join(dir, sub)
		if err := os.Mkdir(p, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(p, uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), name, "-test.timeout=8m",
		"-test.skip=TestProbe|TestAllowHosts|TestOtherShells|TestCancelling|TestAFolder")
	cmd.Dir = filepath.Join(dir, "home")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir, "TMPDIR=" + filepath.Join(dir, "tmp"), "CI=" + os.Getenv("CI"),
		"SANDBOX_ELSE=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}
