package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// startFlags is what `learn start` was asked for.
type startFlags struct {
	mode, observe, policy, execution, improves, exampleOf, values string
	sites, apps, folders, shells, devices, adapters, literal      []string
	runs                                                          []string
	retain, foreground, detach                                    bool
}

func startCommand(e *env) *cobra.Command {
	var f startFlags
	cmd := &cobra.Command{
		Use:   "start GOAL",
		Short: "Begin to watch what you name",
		Long: `Says first what will and what will not be kept, then watches. With a shell or site to show it by, the command returns
and a mark in the prompt or a badge in the page shows that you are watched. Otherwise, or with --foreground, this terminal shows
it: a live count until you press Ctrl-C, which stops.`,
		Example: `  showhow learn start "Change an order" --site localhost:8080 --shell current
  showhow learn start "Weekly report" --shell current --folder ~/reports
  showhow learn start --example-of SESSION --site localhost:8080`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			goal := ""
			if len(args) == 1 {
				goal = args[0]
			}
			return e.start(cmd.Context(), goal, f)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.sites, "site", nil, "site to watch: host, *.host for its subdomains, with :port unless it is the usual one")
	fl.StringArrayVar(&f.shells, "shell", nil, "shell to watch: current, a process id, or a terminal such as pts/3")
	fl.StringArrayVar(&f.apps, "app", nil, "app to watch")
	fl.StringArrayVar(&f.folders, "folder", nil, "folder whose files count as effects")
	fl.StringArrayVar(&f.devices, "device", nil, "MIDI device to watch")
	fl.StringArrayVar(&f.adapters, "adapter", nil, "adapter kind that the session needs (default: from what you name)")
	fl.StringVar(&f.mode, "mode", "demonstrating_skill", "how the ability is learned (entry_mode)")
	fl.StringVar(&f.observe, "observe", "outside_agent", "whose actions: outside_agent (yours), inside_agent, mixed")
	fl.StringVar(&f.policy, "build", "build_then_review", "ask_before_build, build_then_review or private_auto_install")
	fl.StringVar(&f.execution, "execution", "guided", "how binding the checkpoints are: strict, guided or adaptive")
	fl.StringVar(&f.values, "values", "masked", "what is kept of what you type: masked or omitted")
	fl.StringArrayVar(&f.literal, "literal", nil, "app whose values are kept readable (secrets never are)")
	fl.StringVar(&f.improves, "improves", "", "skill that this improves")
	fl.StringVar(&f.exampleOf, "example-of", "", "session that this is another example of")
	fl.StringArrayVar(&f.runs, "from", nil, "agent's run to learn from")
	fl.BoolVar(&f.retain, "retain", false, "keep the raw observations beyond seven days")
	fl.BoolVarP(&f.foreground, "foreground", "f", false, "stay and show a live count; Ctrl-C stops")
	fl.BoolVarP(&f.detach, "detach", "d", false, "return at once; something else must show that you are watched")
	return cmd
}

func (f startFlags) request(goal string) (client.CreateRequest, error) {
	r := client.CreateRequest{EntryMode: client.EntryMode(f.mode), ObservationMode: client.ObservationMode(f.observe),
		BuildPolicy: client.BuildPolicy(f.policy), ExecutionMode: client.ExecutionMode(f.execution), Goal: goal,
		ValuePolicy: f.values, LiteralApps: f.literal, ExampleOf: f.exampleOf, SourceRunIDs: f.runs, Retain: f.retain,
		AllowPrivateInstall: f.policy == "private_auto_install"}
	if f.improves != "" {
		r.EntryMode, r.TargetKind, r.TargetSkillID = "improving_existing_skill", "existing_skill", f.improves
	}
	scope := client.Scope{Apps: f.apps, Sites: f.sites, Folders: f.folders, Devices: f.devices, Shells: []string{}}
	for _, s := range f.shells {
		name, err := tty(s)
		if err != nil {
			return r, err
		}
		scope.Shells = append(scope.Shells, name)
	}
	for _, l := range []*[]string{&scope.Apps, &scope.Sites, &scope.Folders, &scope.Devices} {
		if *l == nil {
			*l = []string{}
		}
	}
	r.Scope = &scope
	for _, a := range f.adapters {
		r.Adapters = append(r.Adapters, client.Kind(a))
	}
	return r, nil
}

func (e *env) start(ctx context.Context, goal string, f startFlags) error {
	req, err := f.request(goal)
	if err != nil {
		return err
	}
	c, err := e.connect(ctx)
	if err != nil {
		return err
	}
	created, err := c.CreateSession(ctx, req)
	if err != nil {
		return err
	}
	s := created.Session
	if s.State != "armed" { // learned from runs that are over: nothing to watch
		return e.show(func() { e.saySession(s) })
	}
	e.say("Watching: %s\nKept: what you do there. Typed values are %s; passwords, codes and card numbers never are kept.\nNot kept: everything else; it is only counted.",
		scopeText(s.Scope), map[string]string{"masked": "sealed and shown as masks", "omitted": "left out"}[f.values])
	started, err := c.StartSession(ctx, s.LearnSessionID)
	if err != nil {
		quiet := c.With() // the session that could not start is of no use; the reason is what counts
		quiet.CancelSession(context.WithoutCancel(ctx), s.LearnSessionID, "start_failed")
		return err
	}
	if f.foreground || !f.detach && !e.shownElsewhere(s.Scope) && e.interactive() {
		return e.watch(ctx, c, s.LearnSessionID)
	}
	return e.show(func() {
		e.say("Session %s watches with %s. Stop with: showhow learn stop", started.Session.LearnSessionID, strings.Join(started.AdaptersArmed, ", "))
	})
}

// shownElsewhere reports whether a prompt or a page will show that capture is on.
func (e *env) shownElsewhere(s client.Scope) bool { return len(s.Shells)+len(s.Sites) > 0 }

func (e *env) interactive() bool {
	f, ok := e.out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// watch shows a live count and keeps the terminal's part of the indicator lease until Ctrl-C, which stops the session.
func (e *env) watch(ctx context.Context, c *client.Client, id string) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if _, err := c.RenewIndicator(ctx, "terminal"); err != nil && ctx.Err() == nil {
			return err
		}
		s, err := c.ObservationScope(ctx, id)
		if err == nil && !e.json {
			fmt.Fprintf(e.errOut, "\r● %-9s %d kept, %d withheld   (Ctrl-C stops) ", s.CaptureState, s.EventsKept, s.OffTargetEventsDropped)
		}
		if err == nil && s.CaptureState == "stopped" {
			fmt.Fprintln(e.errOut)
			return nil
		}
		select {
		case <-ctx.Done():
			fmt.Fprintln(e.errOut)
			return e.stopWatched(context.WithoutCancel(ctx), c, id)
		case <-tick.C:
		}
	}
}

func (e *env) stopWatched(ctx context.Context, c *client.Client, id string) error {
	r, err := c.StopSession(ctx, id)
	if err != nil && !fault.Is(err, fault.CaptureAlreadyStopped) {
		return err
	}
	return e.show(func() {
		e.say("stopped: %d observations kept\nnext: showhow learn propose", r.CapturedEventCount)
	})
}

// sayStreamed prints one event of the live stream.
func (e *env) sayStreamed(ev client.Event) error {
	var r client.Record
	if err := json.Unmarshal(ev.Payload, &r); err == nil && r.Event.EventID != "" {
		e.sayRecord(r)
	}
	return nil
}
