package process

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// nobodys is the uid of a user without any rights.
const nobodys = 65534

func asNobody(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodys, Gid: nobodys}}
}

// open creates a folder that everybody can enter.
func open(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOthersProgramsAreNobodysBusiness(t *testing.T) {
	w := newWorld(t, "outer")
	dir := open(t)
	tool, sh := program(t, dir, "sleep", w.name("t")), program(t, dir, "sh", w.name("outer"))
	for range 5 {
		cmd := exec.Command(sh, "-c", tool+" 0.15; true")
		cmd.Dir = dir
		asNobody(t, cmd)
		run(t, cmd)
	}
	if seen := w.settled(w.tool); len(seen) != 0 {
		t.Errorf("%s", lines(seen))
	}
}

// The same without any rights: the connector provides the events, /proc the rest.
func TestUnprivileged(t *testing.T) {
	t.Parallel()
	needEvents(t)
	dir := open(t)
	self, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	copied, err := os.OpenFile(filepath.Join(dir, "process.test"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(copied, self); err != nil {
		t.Fatal(err)
	}
	if err := copied.Close(); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied.Name(), "-test.v", "-test.timeout=3m",
		"-test.run=^(TestLaunch|TestExits|TestDaemonise|TestOverflowIsCounted|TestAtAPrompt|TestShortLived|TestConnectorBreaks)$")
	asNobody(t, cmd)
	if err := os.Chown(home, nobodys, nobodys); err != nil {
		t.Fatal(err)
	}
	cmd.Dir = home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "CI=" + os.Getenv("CI"),
		"GORACE=" + os.Getenv("GORACE"), "USER=" + strconv.Itoa(nobodys)}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
