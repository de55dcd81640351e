package api

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/kept"
)

// keptIn is where a server keeps its logins.
func keptIn(t *testing.T) (file string, in func(*Deps)) {
	file = filepath.Join(t.TempDir(), "private", "logins.json")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	return file, func(d *Deps) { d.LoginFile = file }
}

func status(t *testing.T, base, bearer string) answerOf {
	t.Helper()
	return send(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, base+"/api/status", "GET", "",
		"Authorization: Bearer "+bearer)
}

// crashed is a server with somebody logged in that ended without doing anything about it.
func crashed(t *testing.T, in func(*Deps), file string) (base, bearer, code string) {
	t.Helper()
	r := newRig(t, in)
	base, bearer = r.login()
	_, code = r.openPort()
	left, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r.stop()
	if err := os.WriteFile(file, left, 0o600); err != nil {
		t.Fatal(err)
	}
	return base, bearer, code
}

func TestATabResumesAfterACrash(t *testing.T) {
	file, in := keptIn(t)
	base, bearer, code := crashed(t, in, file)
	b, err := os.ReadFile(file)
	if st, e := os.Stat(file); err != nil || e != nil || st.Mode().Perm() != 0o600 || strings.Contains(string(b), bearer) {
		t.Fatalf("%v %v: %s", err, e, b)
	}
	r := newRig(t, in)
	status(t, base, bearer).ok(t, 200)
	if again, _ := r.openPort(); again != base {
		t.Errorf("it was at %s, and is at %s", base, again)
	}
	body, _ := json.Marshal(wire.ExchangeRequest{Code: code})
	send(t, http.DefaultClient, base+exchangePath, "POST", string(body)).want(t, fault.Unauthorized) // a code is not kept

	// The terminal that showed the tab's codes may be anybody's now.
	if l, ok := r.s.browser.logins.check(bearer); !ok || l.tty != nil {
		t.Errorf("%v %+v", ok, l)
	}
	r.stop() // in order, which ends every login
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a daemon that was stopped left its logins: %v", err)
	}
	r = newRig(t, in)
	if r.s.browser.gate.listening() {
		t.Error("it listens although nobody is logged in")
	}
}

func TestALoginIsKeptOverARequestedRestart(t *testing.T) {
	_, in := keptIn(t)
	r := newRig(t, in, func(d *Deps) { d.Stop = func(bool) {} })
	base, bearer := r.login()
	r.do("POST", "/api/daemon/stop", `{"restart":true}`).ok(t, 200)
	r.stop()
	r = newRig(t, in)
	status(t, base, bearer).ok(t, 200)
	r.s.browser.restarting.Store(false)
	r.stop()
}

// What is not as it was when it was written is worth nothing.
func TestVoidKeptLogins(t *testing.T) {
	for name, change := range map[string]func(k *keptLogins){
		"the machine was started anew": func(k *keptLogins) { k.Boot = "another" },
		"its time is over":             func(k *keptLogins) { k.Logins[0].Expires = time.Now().Add(-time.Second) },
		"its time is longer than ours": func(k *keptLogins) { k.Logins[0].Expires = time.Now().Add(bearerLife + time.Hour) },
		"another hash":                 func(k *keptLogins) { k.Logins[0].Hash[0]++ },
		"an address for everybody":     func(k *keptLogins) { k.Address = strings.Replace(k.Address, "127.0.0.1", "0.0.0.0", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			file, in := keptIn(t)
			_, bearer, _ := crashed(t, in, file)
			var k keptLogins
			b, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(b, &k)
			}
			if err != nil || len(k.Logins) != 1 {
				t.Fatal(err, k)
			}
			change(&k)
			if err := kept.Save(file, k); err != nil {
				t.Fatal(err)
			}
			r := newRig(t, in)
			base, _ := r.openPort()
			status(t, base, bearer).want(t, fault.Unauthorized)
		})
	}
	t.Run("the folder is everybody's", func(t *testing.T) {
		file, in := keptIn(t)
		_, bearer, _ := crashed(t, in, file)
		if err := os.Chmod(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		base, _ := newRig(t, in).openPort()
		status(t, base, bearer).want(t, fault.Unauthorized)
	})
}

// Somebody else took the port meanwhile, and may have got what the tab sent there.
func TestATakenPortEndsItsLogins(t *testing.T) {
	file, in := keptIn(t)
	base, bearer, _ := crashed(t, in, file)
	l, err := net.Listen("tcp4", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := newRig(t, in)
	var st wire.DaemonStatus
	if err := json.Unmarshal(r.do("GET", "/api/status", "").ok(t, 200).body, &st); err != nil || len(st.Warnings) != 1 ||
		!strings.Contains(st.Warnings[0], "showhow open") {
		t.Errorf("%v: it warns of %q", err, st.Warnings)
	}
	var o wire.SessionOpened
	if err := json.Unmarshal(r.do("POST", "/api/session/open", "").ok(t, 201).body, &o); err != nil || o.Notice == "" ||
		strings.HasPrefix(o.URL, base) {
		t.Fatalf("%v: opened %+v", err, o)
	}
	now, _, _ := strings.Cut(o.URL, "/#")
	status(t, now, bearer).want(t, fault.Unauthorized)
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Error("its logins are kept on")
	}
}

// A login is worth nothing to another user of the machine.
func TestAnotherUsersConnection(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	r := newRig(t)
	base, bearer := r.login()
	call := func(uid uint32) string {
		c := exec.Command("/proc/self/exe")
		c.Env = []string{"API_TEST_HELPER=call", "API_TCP=" + strings.TrimPrefix(base, "http://"), "API_METHOD=GET", "API_PATH=/api/status",
			"API_HEADERS=Authorization: Bearer " + bearer}
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := call(0); !strings.HasPrefix(out, "200") {
		t.Error(out)
	}
	if out := call(65534); !strings.HasPrefix(out, "403") || !strings.Contains(out, "another user") {
		t.Error(out)
	}
}
