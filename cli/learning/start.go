package learning

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/terminal"
	"showhow/capture"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// startFlags are the flags of `learn start`.
type startFlags struct {
	mode, observe, policy, execution, improves, exampleOf, values string
	sites, apps, folders, shells, devices, adapters, literal      []string
	runs                                                          []string
	retain, foreground, detach                                    bool

	newShell bool              // --shell new
	given    func(string) bool // whether a flag was typed
}

func startCommand(e *env) *cobra.Command {
	var f startFlags
	cmd := kit.With(&cobra.Command{
		Use:   "start [GOAL]...",
		Short: "Begin to watch what you name",
		Long: `Says first what will and what will not be kept, then watches.

With --shell new this terminal gets a fresh shell that is watched until you leave it with exit; that also stops the session.
With another shell the command returns, and a mark in that shell's prompt shows that you are watched.
Otherwise, or with --foreground, this terminal shows it: a live count until you press Ctrl-C, which stops the session.
Watching pauses within seconds when nothing shows it any more.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.given = cmd.Flags().Changed
			return e.start(cmd.Context(), strings.Join(args, " "), f)
		},
	},
		`showhow learn start "Change an order" --site localhost:8080 --shell new`,
		`showhow learn start "Weekly report" --shell current --folder ~/reports`,
		`showhow learn start --example-of SESSION --site localhost:8080`,
		`showhow learn start "Fix the build" --observe inside_agent --app claude-code`,
		`showhow learn start "Weekly report" --from RUN`)
	e.scopeFlags(cmd, &f)
	fl := cmd.Flags()
	fl.StringVar(&f.improves, "improves", "", "`skill` that this improves")
	fl.StringVar(&f.exampleOf, "example-of", "", "`session` that this is another example of")
	fl.StringArrayVar(&f.runs, "from", nil, "agent's kept `run` to learn from (see agent journal list)")
	fl.BoolVar(&f.retain, "retain", false, "keep the raw observations beyond seven days")
	fl.BoolVarP(&f.foreground, "foreground", "f", false, "stay and show a live count; Ctrl-C stops")
	fl.BoolVarP(&f.detach, "detach", "d", false, "return at once; something else must show that you are watched")
	kit.Choose(cmd, &f.mode, "mode", "demonstrating_skill", "how the ability is learned",
		"demonstrating_skill", "coaching_agent", "autonomous_agent_practice", "improving_existing_skill")
	kit.Choose(cmd, &f.policy, "build", "build_then_review",
		"when to stop for you: ask_before_build, build_then_review or private_auto_install",
		"ask_before_build", "build_then_review", "private_auto_install")
	kit.Choose(cmd, &f.execution, "execution", "guided", "how binding the checkpoints are: strict, guided or adaptive", "strict", "guided",
		"adaptive")
	e.CompleteWith(cmd, "example-of", kit.SessionIDs)
	e.CompleteWith(cmd, "improves", kit.AbilityNames)
	e.CompleteWith(cmd, "from", kit.RunIDs)
	return cmd
}

// scopeFlags adds the flags for what may be watched, how and by what.
func (e *env) scopeFlags(cmd *cobra.Command, f *startFlags) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.sites, "site", nil, "`host` to watch; *.host for its subdomains, with :port unless it is the usual one")
	fl.StringArrayVar(&f.shells, "shell", nil,
		"`shell` to watch: new (a fresh one in this terminal), current, a process id, or a terminal such as pts/3")
	fl.StringArrayVar(&f.apps, "app", nil, "`app` to watch")
	fl.StringArrayVar(&f.folders, "folder", nil, "`folder` whose files count as effects")
	fl.StringArrayVar(&f.devices, "device", nil, "MIDI `device` to watch")
	fl.StringArrayVar(&f.adapters, "adapter", nil, "adapter `kind` that the session needs (default: from what you name)")
	fl.StringArrayVar(&f.literal, "literal", nil, "`app` whose values are kept readable (secrets never are)")
	kit.Choose(cmd, &f.observe, "observe", "outside_agent", "whose actions: outside_agent (yours), inside_agent or mixed", "outside_agent",
		"inside_agent", "mixed")
	kit.Choose(cmd, &f.values, "values", "masked", "what is kept of what you type: masked or omitted", "masked", "omitted")
	cmd.RegisterFlagCompletionFunc("shell", e.ShellNames)
	kit.Complete(cmd, "adapter", kinds()...)
}

func kinds() []string {
	var out []string
	for _, k := range capture.Kinds {
		out = append(out, string(k))
	}
	return out
}

func (e *env) request(goal string, f *startFlags) (client.CreateRequest, error) {
	r := client.CreateRequest{EntryMode: client.EntryMode(f.mode), ObservationMode: client.ObservationMode(f.observe),
		BuildPolicy: client.BuildPolicy(f.policy), ExecutionMode: client.ExecutionMode(f.execution), Goal: goal,
		ValuePolicy: f.values, LiteralApps: f.literal, ExampleOf: f.exampleOf, SourceRunIDs: f.runs, Retain: f.retain,
		AllowPrivateInstall: f.policy == "private_auto_install"}
	if f.improves != "" {
		r.EntryMode, r.TargetKind, r.TargetSkillID = "improving_existing_skill", "existing_skill", f.improves
	}
	scope := client.Scope{Apps: kit.List(f.apps), Sites: kit.List(f.sites), Folders: kit.List(f.folders), Devices: kit.List(f.devices),
		Shells: []string{}}
	for i, s := range scope.Sites {
		scope.Sites[i] = host(s)
	}
	for i, d := range scope.Folders {
		abs, err := e.Folder(d)
		if err != nil {
			return r, err
		}
		scope.Folders[i] = abs
	}
	for _, s := range f.shells {
		name, err := e.tty(s, f)
		if err != nil {
			return r, err
		}
		scope.Shells = append(scope.Shells, name)
	}
	r.Scope = &scope
	for _, a := range f.adapters {
		r.Adapters = append(r.Adapters, client.Kind(a))
	}
	return r, nil
}

// host accepts the content of a browser's address bar: https://shop.test:8443/orders is shop.test:8443.
func host(site string) string {
	if u, err := url.Parse(site); err == nil && strings.HasPrefix(u.Scheme, "http") && u.Host != "" {
		return u.Host
	}
	return site
}

// tty resolves --shell: new, current, a process id, or a terminal's name.
func (e *env) tty(shell string, f *startFlags) (name string, err error) {
	switch pid, noNumber := strconv.Atoi(shell); {
	case shell == "new":
		f.newShell = true
		return e.newShellTTY()
	case shell == "current":
		name, err = terminal.CurrentTTY()
	case noNumber == nil:
		name, err = terminal.TTYOf(pid)
	default:
		return shell, nil
	}
	if err != nil {
		return "", err
	}
	return name, e.hooked(name)
}

// hooked refuses a shell without the hook: watching it would pause at once, since nothing indicates capture.
func (e *env) hooked(tty string) error {
	if slices.ContainsFunc(terminal.Live(e.Roots.Runtime), func(s terminal.Shell) bool { return s.TTY == tty }) {
		return nil
	}
	return fault.Newf(fault.AdapterUnavailable, "the shell on %s has no hook and cannot be watched yet", tty).
		WithHint(
			"run there:  eval \"$(showhow shell-init bash)\"  (or shell-init zsh; in fish:  showhow shell-init fish | source), or use --shell new")
}

func (e *env) start(ctx context.Context, goal string, f startFlags) error {
	if f.foreground && f.detach {
		return kit.Usage("--foreground stays and --detach returns: use one of them")
	}
	req, err := e.request(goal, &f)
	if err == nil {
		err = fromRuns(&req, &f, f.given)
	}
	if err != nil {
		return err
	}
	c, err := e.Connect(ctx)
	if err != nil {
		return err
	}
	created, err := c.CreateSession(ctx, req)
	if err != nil {
		return unfinished(err)
	}
	s := created.Session
	if s.State != "armed" { // learned from runs that are over: nothing to watch
		return e.Show(func() { e.SaySession(s) })
	}
	e.sayPromise(s, f)
	started, err := c.StartSession(ctx, s.LearnSessionID)
	if err != nil { // a session that cannot start is of no use; the reason is what counts
		c.CancelSession(context.WithoutCancel(ctx), s.LearnSessionID, "start_failed")
		return err
	}
	above := e.ShowOverlay()
	switch {
	case f.newShell:
		return e.showInNewShell(ctx, c, s.LearnSessionID)
	case f.foreground || !f.detach && !shownElsewhere(s.Scope) && e.Interactive():
		return e.watch(ctx, c, s.LearnSessionID)
	}
	return e.Show(func() {
		e.Say("%s (session %s).\nnext: show the task, then showhow learn stop", watchingWith(started.AdaptersArmed, s.Scope), s.LearnSessionID)
		if !shownElsewhere(s.Scope) && !above {
			e.Say("This terminal does not show that you are watched: while nothing else does, such as the badge in a page, watching pauses.\n" +
				"It goes on by itself when the page is opened in Showhow's browser, if nothing was kept before.")
		}
	})
}

// watchingWith names the adapters; a session without a place has none yet.
func watchingWith(adapters []string, scope client.Scope) string {
	switch {
	case len(adapters) > 0:
	case !scope.Empty():
		return "The session has begun, but nothing can be watched here; `showhow doctor` says why"
	default:
		return "The session has begun and watches nothing yet: `showhow learn scope --add site=HOST` says what to watch"
	}
	return "Watching with " + strings.Join(adapters, " and ")
}

// unfinished adds the remedy when another session is in the way.
func unfinished(err error) error {
	if !fault.Is(err, fault.LearnSessionAlreadyActive) {
		return err
	}
	f := fault.From(err)
	state, _ := f.Details["state"].(string)
	if state != "" {
		f.Message = "another learn session has not ended: it is " + kit.Words(state)
	}
	return f // its hint says the ways out of that state
}

// sayPromise says what will and what will not be kept, before anything is.
func (e *env) sayPromise(s client.Session, f startFlags) {
	if s.Scope.Empty() {
		e.Say("Watching nothing: no site, shell, app, folder or device is named, so everything is only counted.\n" +
			"Name something with --site HOST or --shell new, or later with: showhow learn scope --add site=HOST")
		return
	}
	values := map[string]string{"masked": "sealed and shown as masks", "omitted": "left out"}[f.values]
	e.Say("Watching:  %s\nKept:      what you do there. What you type is %s.\nNot kept:  everything else, which is only counted; "+
		"passwords, codes and card numbers, never.",
		kit.ScopeText(s.Scope), values)
}

// shownElsewhere reports whether a prompt shows all the time that capture is on. A page shows it too, but only while
// the person is on the site.
func shownElsewhere(s client.Scope) bool { return len(s.Shells) > 0 }

// fromRuns changes a request to learn from an agent's runs, whoever asks.
func fromRuns(r *client.CreateRequest, f *startFlags, set func(flag string) bool) error {
	if len(f.runs) == 0 {
		return nil
	}
	for _, flag := range []string{"site", "shell", "folder", "device", "app", "foreground"} {
		if set(flag) {
			return fault.Newf(fault.Usage, "--%s does not go with --from: a run is over, there is nothing to watch", flag)
		}
	}
	if !set("observe") {
		r.ObservationMode = "inside_agent"
	}
	if !set("mode") && f.improves == "" {
		r.EntryMode = "coaching_agent"
	}
	return nil
}
