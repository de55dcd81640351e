package files

import (
	"context"
	"errors"
	"runtime"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/internal/fswatch"
)

// ID is the source's name: it has no kind of its own.
const ID = "files"

// Adapter observes effects on files. The zero value works, too; see New.
type Adapter struct {
	own   []string
	now   func() time.Time
	quiet time.Duration // a folder is compared when nothing was noticed for this long
}

// New returns the source. own are Showhow's own folders: changes there are its own work, not part of a demonstration.
func New(own ...string) *Adapter { return &Adapter{own: own, now: time.Now, quiet: quietTime} }

var _ adapters.Evidence = (*Adapter)(nil)

// Info implements adapters.Adapter.
func (a *Adapter) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.ProcessLaunch,
		ID:    ID,
		Title: "Files",
		Sees: []string{"files created, changed, moved and removed in the folders you name, with size and a hash of their content",
			"them as evidence on the command or download that caused them, or as an event of their own"},
		NeverSees: []string{"any other folder, also not through links", "what is in a file: it is read to hash it and never kept",
			"repositories' insides, caches, installed packages and editors' temporary files", "who changed a file"},
		DataClasses:  []string{"file_names", "file_changes"},
		Platforms:    []string{"linux", "darwin", "windows"},
		Permissions:  []string{},
		Phase:        "phase_1",
		Alternatives: []capture.Kind{capture.TerminalCommand, capture.BrowserDOM},
	}
}

// Wanted implements adapters.Evidence.
func (a *Adapter) Wanted(s capture.Scope) bool { return len(s.Folders) > 0 }

// Probe implements adapters.Adapter.
func (a *Adapter) Probe(context.Context) adapters.Health {
	fs, err := fswatch.New()
	if err != nil {
		return unable(err)
	}
	fs.Close()
	return adapters.Health{State: adapters.Ready}
}

func unable(err error) adapters.Health {
	if _, limit := limits(err); limit {
		return noInstance
	}
	return adapters.Health{State: adapters.Unavailable, Code: "no_notifications", Reason: "the system does not tell when files change",
		Fix: "this platform (" + runtime.GOOS + ") is not supported"}
}

var errLost = errors.New("files: notifications ended")

// pollTime is how often the named folders themselves are checked.
const pollTime = time.Second

// Run implements adapters.Adapter.
func (a *Adapter) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	w, err := newWatcher(a, sink)
	if err != nil {
		return err
	}
	defer func() { w.fs.Close() }()
	w.rescope(s.Scope)
	l := newLoop(a, w)
	defer l.end()
	ready(l)
	w.health = adapters.Health{State: adapters.Ready} // what the session takes it for when it is ready
	w.report()
	return l.run(ctx)
}
