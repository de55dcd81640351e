package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/cmdline"
)

// Adapter observes program starts. The zero value is not usable: see New.
type Adapter struct {
	own     func(*image) bool
	display string
	polling time.Duration // tests: look this often, as if the kernel's events were refused
	opened  func(source)  // tests: told of the source in use
}

// New returns the adapter. It observes windows on the X server of $DISPLAY.
func New() *Adapter {
	return &Adapter{own: showhow(), display: os.Getenv("DISPLAY"), opened: func(source) {}}
}

// showhow recognises Showhow's own programs by their executable file.
func showhow() func(*image) bool {
	self, err := os.Executable()
	return func(i *image) bool {
		return err == nil && i.exe == self || cmdline.Own(appName(base(i.exe)))
	}
}

// Info implements adapters.Adapter.
func (a *Adapter) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.ProcessLaunch,
		ID:    "process",
		Title: "Programs",
		Sees: []string{"the start of each program you name: its arguments, folder, exit code, duration, and how many others it started in turn",
			"on X11, when a window of a program you name comes to the front, and its title (not of browsers and terminals)"},
		NeverSees: []string{"what you do inside a program", "environment variables", "programs of other users", "programs you do not name",
			"sites you do not name, in the arguments of a browser"},
		DataClasses:  []string{"processes", "window_titles"},
		Platforms:    []string{"linux", "darwin", "windows"},
		Permissions:  []string{},
		Phase:        "phase_1",
		Alternatives: []capture.Kind{capture.TerminalCommand, capture.WrapperReceipt},
	}
}

// Probe implements adapters.Adapter.
func (a *Adapter) Probe(ctx context.Context) adapters.Health {
	src, health := a.open(ctx, nil)
	src.close()
	code, reason := a.windowsMissing()
	return remarked(health, adapters.Health{Code: code, Reason: reason})
}

// open opens the best source that is permitted.
func (a *Adapter) open(ctx context.Context, t *tracker) (source, adapters.Health) {
	every := a.polling
	if every == 0 {
		every = pollEvery
		if src, err := openEvents(ctx, t); err == nil {
			return src, adapters.Health{State: adapters.Ready}
		}
	}
	return &poller{every: every}, polled()
}

func polled() adapters.Health {
	h := adapters.Health{State: adapters.Degraded, Code: "polling",
		Reason: "this system does not tell of each program: they are looked for twice a second, shorter ones are missed without being " +
			"counted, exit codes are not known",
		Fix: "name the shell as well: its commands are complete"}
	if runtime.GOOS == "linux" {
		h.Reason = "the kernel does not report process events to this user here (it takes Linux 6.6, outside of containers): programs are " +
			"looked for twice a second, " +
			"shorter ones are missed without being counted, exit codes are not known"
		h.Fix = "use Linux 6.6 or later, outside of a container; or name the shell as well: its commands are complete"
	}
	return h
}

// Run implements adapters.Adapter.
func (a *Adapter) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	ctx, cancel := context.WithCancel(ctx)
	t := newTracker(a, s.Scope, sink)
	t.condition.windowless(a.windowsMissing())
	var wg sync.WaitGroup
	errs := make(chan error, 3)
	part := func(run func(context.Context) error) {
		wg.Go(func() {
			err := errPanicked
			defer func() {
				if recover() != nil || err != nil { // the value may be captured text: it goes nowhere
					errs <- err
					cancel()
				}
			}()
			err = run(ctx)
		})
	}
	part(t.run)
	part(func(ctx context.Context) error { return a.events(ctx, t, func() { ready(t) }) })
	part(func(ctx context.Context) error { return a.windows(ctx, t) })
	wg.Wait()
	cancel()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

var (
	errPanicked = errors.New("process: a part of the adapter failed unexpectedly")
	errUnsteady = errors.New("process: the source of events broke again and again")
)

// reopened is how often the source may fail within a run; after that the daemon restarts the adapter, later.
const reopened = 3

// events delivers the source's changes, and reopens the source when it fails.
func (a *Adapter) events(ctx context.Context, t *tracker, ready func()) error {
	for n := 0; n < reopened && ctx.Err() == nil; n++ {
		src, health := a.open(ctx, t)
		a.opened(src)
		if n > 0 {
			health = adapters.Health{State: adapters.Degraded, Code: "events_interrupted",
				Reason: "the kernel's process events broke off for a moment: what was started and ended meanwhile is missing",
				Fix:    "nothing to do now; start the session again if something is missing"}
		}
		err := src.run(ctx, func() {
			t.catchUp(time.Now(), n > 0)
			ready()
			ready = func() {}
			t.condition.observes(health)
		}, t.changed)
		src.close()
		if err == nil {
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return errUnsteady
}

// catchUp compares running processes with the known ones. If missedSome, the differences count as changes.
func (t *tracker) catchUp(now time.Time, missedSome bool) {
	parents := map[int]int{}
	ids := pids()
	slices.Sort(ids)
	for _, pid := range ids {
		t.mu.Lock()
		_, known := t.procs[pid]
		t.mu.Unlock()
		if known {
			continue
		}
		i := look(pid)
		if i == nil {
			continue
		}
		if missedSome {
			if i.mine {
				t.changed(change{what: started, pid: pid, at: now, image: i})
			}
			continue
		}
		t.adopt(pid, i)
		parents[pid] = i.parent
	}
	if !missedSome {
		t.descend(parents)
		return
	}
	for _, pid := range t.vanished(ids) {
		t.changed(change{what: ended, pid: pid, at: now, blind: true})
	}
}

// vanished returns the known processes that no longer run.
func (t *tracker) vanished(ids []int) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []int
	for pid := range t.procs {
		if _, lives := slices.BinarySearch(ids, pid); !lives {
			out = append(out, pid)
		}
	}
	return out
}

// lost counts events that the kernel dropped.
func (t *tracker) lost(n int64, total int64) {
	t.sink.Withhold(capture.ProcessLaunch, capture.Overflow, n)
	t.condition.observes(adapters.Health{State: adapters.Degraded, Code: "events_lost",
		Reason: fmt.Sprintf("the machine was so busy that %d of the kernel's process events were lost: at most that many programs are missing",
			total),
		Fix: "start the session again if something is missing" + bufferHint()})
}

func bufferHint() string {
	if os.Geteuid() == 0 {
		return ""
	}
	return "; sysctl net.core.rmem_max=8388608 gives them more room"
}
