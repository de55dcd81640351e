//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// asCaller makes this binary send one request: METHOD PATH BODY HEADER..., over the socket in the variable.
const asCaller = "SHOWHOW_TEST_CALLER"

// caller prints "STATUS BODY".
func caller(socket string, args []string) int {
	c := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", socket)
	}}}
	req, err := http.NewRequest(args[0], "http://showhow"+args[1], strings.NewReader(args[2]))
	if err != nil {
		return 1
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range args[3:] {
		k, v, _ := strings.Cut(h, ": ")
		req.Header.Set(k, v)
	}
	res, err := c.Do(req)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	fmt.Printf("%d %s\n", res.StatusCode, b)
	return 0
}

// gate is a home with a daemon, and one skill that waits for a person.
type gate struct {
	t      *testing.T
	home   string
	env    []string
	socket string
	c      *client.Client
}

const slug = "their-skill"

func newGate(t *testing.T) *gate {
	t.Helper()
	dir, err := os.MkdirTemp("", "sg")
	g := &gate{t: t, home: filepath.Join(dir, "home")}
	g.ok(err)
	run := filepath.Join(dir, "run")
	for _, d := range []string{g.home, run} {
		g.ok(os.MkdirAll(d, 0o700))
	}
	g.env = []string{"HOME=" + g.home, "XDG_RUNTIME_DIR=" + run, "PATH=/usr/bin:/bin", "TERM=xterm", "LANG=C.UTF-8", "SHELL=/bin/bash",
		"TMPDIR=" + dir}
	g.socket = filepath.Join(run, "showhow", "daemon.sock")
	g.c = client.Unix(g.socket)
	t.Cleanup(func() { g.run(nil, "daemon", "stop"); os.RemoveAll(dir) })
	if out, err := g.run(nil, "daemon", "start"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	g.write("# Theirs")
	_, err = g.c.Adopt(t.Context(), slug, "")
	g.ok(err)
	return g
}

func (g *gate) ok(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// write writes the skill into the agent's folder.
func (g *gate) write(text string) {
	dir := filepath.Join(g.home, ".openclaw", "workspace", "skills", slug)
	g.ok(os.MkdirAll(dir, 0o755))
	g.ok(os.WriteFile(filepath.Join(dir, "SKILL.md"),
		[]byte("---\nname: "+slug+"\ndescription: does something useful when asked.\n---\n"+text+"\n"), 0o644))
}

// change edits the canonical bundle, so that it differs from what a person confirmed before.
func (g *gate) change() {
	path := filepath.Join(g.home, ".local", "share", "showhow", "memory", "system", "learning", "installed", slug, "SKILL.md")
	b, err := os.ReadFile(path)
	g.ok(err)
	g.ok(os.WriteFile(path, append(b, "and more\n"...), 0o644))
}

// run is the command line without a terminal.
func (g *gate) run(env []string, args ...string) (string, error) {
	self, err := os.Executable()
	g.ok(err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(append(g.env, asShowhow+"=1"), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// terminal runs this binary on a terminal of its own and types the result of reply for what is shown.
func (g *gate) terminal(env []string, reply func(shown string) string, args ...string) (string, error) {
	g.t.Helper()
	self, err := os.Executable()
	g.ok(err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(g.env, env...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 400})
	g.ok(err)
	defer f.Close()
	s := &screen{}
	read := make(chan struct{})
	go func() { defer close(read); io.Copy(s, f) }()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	typed := ""
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		if text := reply(s.all()); text != typed {
			typed = text
			io.WriteString(f, text+"\r")
		}
		select {
		case err := <-done:
			select {
			case <-read:
			case <-time.After(5 * time.Second):
			}
			return s.all(), err
		default:
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			g.t.Fatalf("nothing happens; the terminal shows\n%s", s.all())
		}
	}
}

var (
	shownCode = regexp.MustCompile(`type this code: ([a-z0-9]+)`)
	openID    = regexp.MustCompile(`"confirmation_id":"([0-9a-f-]+)"`)
)

// typing is a person who reads the code and types it when asked.
func typing(shown string) string {
	if m := shownCode.FindStringSubmatch(shown); m != nil && strings.Contains(shown, "Ctrl-C: ") {
		return m[1]
	}
	return ""
}

// token is the token of an agent that a person admitted.
func (g *gate) token() string {
	g.t.Helper()
	out, err := g.terminal([]string{asShowhow + "=1"}, typing, "agent", "add", "helper")
	token := regexp.MustCompile(`sha[a-z]*_[A-Za-z0-9_-]+`).FindString(out)
	if err != nil || token == "" {
		g.t.Fatalf("%v\n%s", err, out)
	}
	return token
}

func silent(string) string { return "" }

// call is one request of a person's program without a terminal.
func (g *gate) call(env []string, method, path, body string, headers ...string) (int, fault.Code) {
	g.t.Helper()
	self, err := os.Executable()
	g.ok(err)
	cmd := exec.Command(self, append([]string{method, path, body}, headers...)...)
	cmd.Env = append(append(g.env, asCaller+"="+g.socket), env...)
	out, err := cmd.Output()
	if err != nil {
		g.t.Fatalf("%v: %s", err, out)
	}
	return verdict(g.t, string(out))
}

func verdict(t *testing.T, out string) (status int, code fault.Code) {
	t.Helper()
	number, body, _ := strings.Cut(strings.TrimSpace(out), " ")
	fmt.Sscan(number, &status)
	var e struct{ Error struct{ Code fault.Code } }
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		t.Fatalf("%v: %q", err, out)
	}
	return status, e.Error.Code
}

// confirmation is what a person's terminal receives for exactly what the daemon asks: ID:CODE.
func (g *gate) confirmation(a attempt) string {
	g.t.Helper()
	var body any
	if b := a.body(g); b != "" {
		body = json.RawMessage(b)
	}
	_, err := g.c.Raw(g.t.Context(), a.method, a.path(g), body)
	d := fault.From(err).Details
	if !fault.Is(err, fault.PresenceRequired) {
		g.t.Fatalf("%s: %v", a.name, err)
	}
	ask := map[string]any{"action": d["action"], "subject_id": d["subject_id"]}
	for _, k := range []string{"revision", "content_hash"} {
		if v, ok := d[k]; ok {
			ask[k] = v
		}
	}
	b, err := json.Marshal(ask)
	g.ok(err)
	shown, err := g.terminal([]string{asCaller + "=" + g.socket}, silent, "POST", "/api/confirmations", string(b))
	code, id := shownCode.FindStringSubmatch(shown), openID.FindStringSubmatch(shown)
	if err != nil || code == nil || id == nil {
		g.t.Fatalf("%v\n%s", err, shown)
	}
	return id[1] + ":" + code[1]
}

// attempt is one action that needs a person's confirmation.
type attempt struct {
	name   string
	method string
	action string   // the route's last part
	args   []string // as a command of the CLI
	more   func(*gate, map[string]any)
	at     string // the whole route, when it is not the skill's
}

func (a attempt) path(g *gate) string {
	if a.at != "" {
		return a.at
	}
	return "/api/abilities/" + g.ability().AbilityID + a.action
}

func (a attempt) body(g *gate) string {
	m := map[string]any{}
	if a.more != nil {
		a.more(g, m)
	}
	if a.method == http.MethodDelete {
		return ""
	}
	b, err := json.Marshal(m)
	g.ok(err)
	return string(b)
}

func (g *gate) ability() client.Ability {
	g.t.Helper()
	a, err := g.c.Ability(g.t.Context(), slug)
	g.ok(err)
	return a
}

var attempts = []attempt{
	{"approve", "POST", "/approve", []string{"skill", "approve", slug}, func(g *gate, m map[string]any) {
		m["content_hash"] = g.ability().ContentHash
	}, ""},
	{"approve with more permissions", "POST", "/approve", []string{"skill", "approve", slug, "--domain", "evil.example"},
		func(g *gate, m map[string]any) {
			m["content_hash"] = g.ability().ContentHash
			m["permissions"] = client.Permissions{Tools: []string{}, Domains: []string{"evil.example"}, Credentials: []string{}}
		}, ""},
	{"reject", "POST", "/reject", []string{"skill", "reject", slug}, nil, ""},
	{"widen permissions", "PUT", "/permissions", []string{"skill", "permissions", slug, "--domain", "evil.example"},
		func(_ *gate, m map[string]any) {
			m["tools"], m["domains"], m["credentials"] = []string{}, []string{"evil.example"}, []string{}
		}, ""},
	{"delete", "DELETE", "", []string{"skill", "remove", slug}, nil, ""},
}

// Only a person at a terminal can approve, decline, remove or extend. Every attack leaves the skill unchanged.
func TestConsentGate(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	token := g.token()
	before := g.ability()
	for _, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			g := *g
			g.t = t
			refused := func(what string, status int, code fault.Code, want ...fault.Code) {
				t.Helper()
				for _, w := range want {
					if code == w && status == w.Spec().HTTP {
						return
					}
				}
				t.Errorf("%s: %d %s", what, status, code)
			}
			path, body := a.path(&g), a.body(&g)

			status, code := g.call(nil, a.method, path, body)
			refused("nobody confirms", status, code, fault.PresenceRequired)
			status, code = g.call(nil, a.method, path, body, "Authorization: Bearer "+token)
			refused("an agent's token", status, code, fault.Forbidden)
			status, code = g.call([]string{"CLAUDECODE=1"}, a.method, path, body)
			refused("an agent's child", status, code, fault.Forbidden)

			// The agent's child runs the command line on a terminal of its own, and would type any code it is shown.
			shown, err := g.terminal([]string{asShowhow + "=1", "CLAUDECODE=1"}, typing, a.args...)
			if err == nil || !strings.Contains(shown, string(fault.Forbidden)) || shownCode.MatchString(shown) {
				t.Errorf("the agent's child got %v\n%s", err, shown)
			}
			out, err := g.run(nil, a.args...)
			if err == nil || !strings.Contains(out, string(fault.PresenceRequired)) {
				t.Errorf("without a terminal: %v\n%s", err, out)
			}

			for _, h := range []string{"X-Showhow-Confirmation: 0190a1b2-0000-7000-8000-000000000000:abcdef",
				"X-Showhow-Presence: demo guessed-grant",
				"X-Showhow-Presence: window a-proof", "Authorization: Bearer shw_forged"} {
				status, code := g.call(nil, a.method, path, body, h)
				refused("forged "+h, status, code, fault.PresenceRequired, fault.PresenceRejected, fault.Unauthorized, fault.Forbidden,
					fault.InvalidRequest)
			}

			other := attempts[(indexOf(a)+2)%len(attempts)]
			status, code = g.call(nil, a.method, path, body, "X-Showhow-Confirmation: "+g.confirmation(other))
			refused("a confirmation of "+other.name, status, code, fault.PresenceRejected)

			good := g.confirmation(a)
			id, right, _ := strings.Cut(good, ":")
			status, code = g.call(nil, a.method, path, body, "X-Showhow-Confirmation: "+id+":zzzzzz")
			refused("a guess", status, code, fault.PresenceRejected)
			status, code = g.call([]string{"CLAUDECODE=1"}, a.method, path, body, "X-Showhow-Confirmation: "+id+":"+right)
			refused("an agent with a person's confirmation", status, code, fault.Forbidden)
			if now := g.ability(); now.Revision != before.Revision || now.Trust != before.Trust || now.ContentHash != before.ContentHash ||
				!samePermissions(now.Permissions, before.Permissions) {
				t.Fatalf("an attack changed the skill: %+v", now)
			}
		})
	}
}

func indexOf(a attempt) int {
	for i, x := range attempts {
		if x.name == a.name {
			return i
		}
	}
	return -1
}

func samePermissions(a, b client.Permissions) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// A confirmation is for what existed when it was given: if older than the change, it is void, for the new content and
// for the old.
func TestConfirmationOlderThanTheChange(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	for _, a := range attempts {
		good, old := g.confirmation(a), a.body(g)
		g.change()
		status, code := g.call(nil, a.method, a.path(g), old, "X-Showhow-Confirmation: "+good)
		if status != 403 || code != fault.PresenceRejected {
			t.Errorf("%s with the old content: %d %s", a.name, status, code)
		}
		good = g.confirmation(a)
		g.change()
		status, code = g.call(nil, a.method, a.path(g), a.body(g), "X-Showhow-Confirmation: "+good)
		if status != 403 || code != fault.PresenceRejected {
			t.Errorf("%s with the new content: %d %s", a.name, status, code)
		}
	}
	if a := g.ability(); a.Trust != "pending_review" || a.RejectReason != "" {
		t.Errorf("%+v", a)
	}
}

// A confirmation can be used once: after its effect is undone, it does not allow it again.
func TestConfirmationReplayed(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	for _, a := range []attempt{attempts[2], attempts[0], attempts[3], attempts[4]} {
		good, path, body := g.confirmation(a), a.path(g), a.body(g)
		if status, code := g.call(nil, a.method, path, body, "X-Showhow-Confirmation: "+good); status != 200 {
			t.Fatalf("%s: %d %s", a.name, status, code)
		}
		if a.name == "widen permissions" { // take it back: nobody needs to confirm less
			if _, err := g.c.SetPermissions(t.Context(), slug, client.Permissions{}); err != nil {
				t.Fatal(err)
			}
		}
		if a.name == "delete" { // the same skill again
			g.ok(os.RemoveAll(filepath.Join(g.home, ".openclaw", "workspace", "skills", slug)))
			g.write("# Theirs")
			_, err := g.c.Adopt(t.Context(), slug, "")
			g.ok(err)
			path = a.path(g)
		}
		status, code := g.call(nil, a.method, path, body, "X-Showhow-Confirmation: "+good)
		if status != 403 || code != fault.PresenceRejected {
			t.Errorf("%s replayed: %d %s", a.name, status, code)
		}
	}
}
