// Package demo performs Showhow's main job from end to end, unattended: a separate process acts as the person in a
// real browser and a real shell, the daemon learns, and an agent looks the skill up.
//
// Everything happens in a separate folder (home, data, runtime, downloads); the real home is not touched. Nothing is
// simulated: the daemon is a process, the browser is Chromium, and every printed number was counted. Only
// confirmations are given by the demo in place of a person: the daemon accepts that only on the data directory that
// this demo created (docs/security.md).
package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"showhow/daemon/client"
	"showhow/demo/driver"
	"showhow/demo/orderdesk"
	"showhow/internal/fault"
)

// Options are the demo's flags.
type Options struct {
	Self string // path of this program, "" finds it
	Out  io.Writer
	Seed uint64 // of the orders
	Dir  string // "" makes a folder under the temporary directory
	Keep bool   // keep the whole folder; else only the skill stays
	JSON bool

	canaries *driver.Canaries                                            // tests: things that must leave no trace
	listen   func(ctx context.Context, c *client.Client, session string) // tests: hears the streams from the start
	inspect  func(*run) error                                            // tests: called before the daemon stops
}

// run is one performance.
type run struct {
	Options
	say     *teller
	dir     string
	home    string
	grant   string
	desk    *orderdesk.Desk
	deskURL string
	site    string

	daemon *process
	person *person
	shown  func() // ends saying that this terminal shows the capture; nil before it begins
	c      *client.Client

	order    orderdesk.Order
	plan     driver.Plan
	session  client.Session
	worker   *client.Client // the agent that uses the skill
	proposal client.ProposalDetail
	answers  []client.AnswerItem
	ability  client.Ability
	result   Result
}

// Result is the output of --json.
type Result struct {
	OK          bool     `json:"ok"`
	Seconds     float64  `json:"seconds"`
	Kept        int64    `json:"events_kept"`
	Withheld    int64    `json:"events_withheld"`
	Questions   int      `json:"questions"`
	Checkpoints int      `json:"checkpoints"`
	AbilityID   string   `json:"ability_id"`
	Score       float64  `json:"lookup_score"`
	SkillDir    string   `json:"skill_dir"`
	Targets     []string `json:"targets"`
}

// Run performs the demo. It fails, with the reason, if any step does.
func Run(ctx context.Context, o Options) error {
	r := &run{Options: o, grant: rand.Text() + rand.Text()}
	r.say = &teller{out: o.Out, quiet: o.JSON, start: time.Now()}
	err := r.perform(ctx)
	r.end()
	if err != nil {
		return fault.Wrap(err, fault.DemoFailed, err.Error()).WithHint("what it made so far is in " + r.dir)
	}
	r.result.OK, r.result.Seconds = true, time.Since(r.say.start).Seconds()
	r.finish()
	return nil
}

// perform is the story, one stage per line.
func (r *run) perform(ctx context.Context) error {
	for _, stage := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"A home of its own", r.makeHome},
		{"An order desk to work at", r.openDesk},
		{"The daemon", r.startDaemon},
		{"The person, a process of its own with a real shell", r.startPerson},
		{"A session that may watch one site, one shell and one folder", r.arm},
		{"The person works", r.demonstrate},
		{"Stop, and what was kept", r.stop},
		{"What it was for", r.propose},
		{"The questions that matter", r.answer},
		{"Validation", r.validate},
		{"A rehearsal with another order, without a model", r.rehearse},
		{"Installation", r.install},
		{"An agent looks it up", r.lookup},
		{"The agent reports its checkpoints", r.verify},
		{"Its runtime reports the session, with a secret in it", r.reportSession},
		{"Showhow checks by itself whether it still works", r.look},
		{"The privacy check", r.searchForTraces},
	} {
		r.say.stage(stage.what)
		if err := stage.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", stage.what, err)
		}
	}
	if r.inspect != nil {
		return r.inspect(r)
	}
	return nil
}

func (r *run) makeHome(context.Context) (err error) {
	if r.Self == "" {
		if r.Self, err = os.Executable(); err != nil {
			return err
		}
	}
	if r.Dir == "" {
		r.dir, err = os.MkdirTemp("", "showhow-demo-")
	} else {
		r.dir, err = filepath.Abs(r.Dir)
		if err == nil {
			err = os.Mkdir(r.dir, 0o700)
		}
	}
	if err != nil {
		return err
	}
	r.home = filepath.Join(r.dir, "home")
	for _, d := range []string{r.home, r.downloads(), r.runtime(), filepath.Join(r.home, ".config", "showhow")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	config := "idle_exit_minutes = 0\n"
	for _, t := range []struct{ name, dir string }{{"openclaw", ".openclaw/workspace/skills"}, {"claude", ".claude/skills"},
		{"agents", ".agents/skills"}} {
		config += fmt.Sprintf("\n[[targets]]\nname = %q\ndir = \"~/%s\"\n", t.name, t.dir)
	}
	r.say.line("%s", r.dir)
	return os.WriteFile(filepath.Join(r.home, ".config", "showhow", "config.toml"), []byte(config), 0o600)
}

func (r *run) downloads() string { return filepath.Join(r.home, "Downloads") }
func (r *run) runtime() string   { return filepath.Join(r.dir, "run") }
func (r *run) socket() string    { return filepath.Join(r.runtime(), "showhow", "daemon.sock") }
func (r *run) data() string      { return filepath.Join(r.home, ".local", "share", "showhow") }

// environ is the environment of all programs that the demo starts: its own home and roots, and nothing of the real
// ones.
func (r *run) environ(more ...string) []string {
	env := []string{"HOME=" + r.home, "XDG_RUNTIME_DIR=" + r.runtime(), "TMPDIR=" + r.dir, "SHELL=/bin/bash", "TERM=xterm", "LANG=C.UTF-8"}
	for _, keep := range []string{"PATH", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "SHOWHOW_BROWSER"} {
		if v := os.Getenv(keep); v != "" {
			env = append(env, keep+"="+v)
		}
	}
	return append(env, more...)
}

func (r *run) openDesk(ctx context.Context) error {
	r.desk = orderdesk.New(r.Seed)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: r.desk.Handler(), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { srv.Close() })
	go srv.Serve(l)
	r.site = l.Addr().String()
	r.deskURL = "http://" + r.site + "/"
	orders := r.desk.Orders()
	r.order = orders[len(orders)/2]
	r.plan = driver.PlanFor(r.order, r.deskURL, r.downloads())
	r.plan.Canaries = r.canaries
	r.say.line("%s with %d orders; the task: change %s and export it", r.deskURL, len(orders), r.order.ID)
	return nil
}

func (r *run) startDaemon(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, r.Self, "daemon", "--json")
	cmd.Env = r.environ("SHOWHOW_DEMO_GRANT="+r.grant, "SHOWHOW_DEMO_BROWSER=1", "SHOWHOW_DEMO_DOWNLOADS="+r.downloads())
	var err error
	start := time.Now()
	if r.daemon, err = startProcess(cmd); err != nil {
		return err
	}
	r.c = client.Unix(r.socket(), client.WithDemoGrant(r.grant))
	if err := r.daemon.until(ctx, 15*time.Second, func() bool { _, err := r.c.Version(ctx); return err == nil }); err != nil {
		return err
	}
	r.say.line("answers after %d ms on a Unix socket", time.Since(start).Milliseconds())
	return nil
}

// end stops what the demo started, the person first.
func (r *run) end() {
	if r.shown != nil {
		r.shown()
	}
	if r.person != nil {
		r.person.end()
	}
	if r.daemon != nil {
		r.daemon.stop(20 * time.Second)
	}
}

// finish prints the skill and deletes everything else, unless everything is to be kept.
func (r *run) finish() {
	if r.JSON {
		r.printJSON()
	} else {
		r.printSkill()
	}
	if !r.Keep {
		r.tidy()
	}
}
