package keys

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"showhow/internal/fault"
)

// TestSecrets uses a real keychain: a gnome-keyring on its own bus, in its own home.
func TestSecrets(t *testing.T) {
	if os.Getenv("SHOWHOW_KEYCHAIN_TEST") != "" {
		askKeychain(t)
		return
	}
	for _, p := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skip("not installed: " + p)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	// The bus starts no service by itself: a call that came before the keyring would start a second one, which stays
	// locked.
	bus := filepath.Join(home, "bus.conf")
	if err := os.WriteFile(bus, []byte(`<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>`+
		`</busconfig>`), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `printf 'pw' | gnome-keyring-daemon --unlock --foreground --components=secrets >/dev/null 2>&1 &
k=$!
"$0" -test.run '^TestSecrets$' -test.v; r=$?
kill $k; wait $k 2>/dev/null; exit $r`
	cmd := exec.CommandContext(ctx, "dbus-run-session", "--config-file="+bus, "--", "sh", "-c", script, self)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + home, "XDG_DATA_HOME=" + home,
		"SHOWHOW_KEYCHAIN_TEST=1"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func askKeychain(t *testing.T) {
	ctx, s := t.Context(), Secrets{Service: "showhow-test"}
	var err error
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // until it answers
		if err = s.Set(ctx, "agentmail_api_key", "value-1"); err == nil || time.Now().After(end) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Get(ctx, "agentmail_api_key"); err != nil || v != "value-1" {
		t.Errorf("%q %v", v, err)
	}
	if err := s.Set(ctx, "agentmail_api_key", "value-2 äöü"); err != nil {
		t.Error(err)
	}
	if v, err := s.Get(ctx, "agentmail_api_key"); err != nil || v != "value-2 äöü" {
		t.Errorf("%q %v", v, err)
	}
	if _, err := s.Get(ctx, "another"); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	if err := s.Delete(ctx, "agentmail_api_key"); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(ctx, "agentmail_api_key"); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	if err := s.Delete(ctx, "agentmail_api_key"); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
}
