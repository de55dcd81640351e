package api

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"showhow/daemon/access"
	"showhow/daemon/api/routes"
	"showhow/daemon/connector/door"
	"showhow/daemon/contract"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/version"
)

// Learn is the part of learning that all groups of routes need; *learn.Service implements it. Each group gets its own
// part.
type Learn interface {
	routes.Sessions
	routes.Observations
	routes.Proposals
	routes.History
	routes.Origins
	routes.LegacyTargets
	routes.Repairs
}

// Credentials is the part of *credential.Service that all groups of routes need.
type Credentials interface {
	routes.Credentials
	routes.ObtainedCredentials
}

// Door is where agents connect by MCP; *door.Door implements it.
type Door interface {
	// Knows returns an error if there is no such connector.
	Knows(ctx context.Context, server string) error
	// Handler serves an agent over HTTP: everything that it may use, or one connector.
	Handler(g door.Guest, server string) http.Handler
	// ServeStream serves an agent over two streams until one of them ends.
	ServeStream(ctx context.Context, g door.Guest, in io.ReadCloser, out io.WriteCloser) error
}

// Contract speaks the wire contract; *contract.Service implements it.
type Contract interface {
	routes.Contract
	Handler(c contract.Caller) http.Handler
}

// Deps holds what the server needs. Only package daemon fills it with the real things.
type Deps struct {
	Learn       Learn             // *learn.Service
	Abilities   routes.Abilities  // *ability.Service
	Imports     routes.Imports    // *imports.Service
	Registries  routes.Registries // *oci.Service
	Contract    Contract          // *contract.Service
	Categories  routes.Categories // *category.Service
	Credentials Credentials       // *credential.Service
	Connectors  routes.Connectors // *registry.Registry
	AskFirst    routes.AskFirst   // *desk.Desk
	SignIns     routes.SignIns    // *signin.Service
	Takeover    routes.Takeover   // *takeover.Service
	Offered     routes.Offered    // *offered.Service
	Remote      routes.Remote     // *remote.Service
	Tasks       routes.Tasks      // *a2a.Service
	Door        Door              // *door.Door; nil: no agent comes in by MCP
	Access      access.Store      // *store.Store
	Events      routes.EventLog   // *store.Store
	Live        routes.Live       // the capture pipeline's live stream
	Records     routes.Records    // *store.Store
	Observed    routes.Observed   // the intake of receipts with the run journal
	AgentRuns   routes.AgentRuns  // *agentrun.Service
	Health      routes.Health     // *upkeep.Service
	Canaries    routes.Canaries   // *upkeep.Service
	Inbox       routes.Inbox      // *inbox.Inbox
	Questions   routes.Questions  // *question.Desk
	Projects    routes.Projects   // *binding.Service
	Practices   routes.Practices  // *practice.Service
	Mining      routes.Mining     // *mining.Service
	Notes       routes.Notes      // *notes.Service
	Documents   routes.Documents  // *document.Service
	PDF         routes.PDF        // *pdf.Service
	Runtime     routes.Runtime    // *events.Service
	Leaving     routes.Leaving    // *daemon.Daemon
	Data        routes.Data       // purge, export and erase

	Version  version.Info
	Settings routes.Settings
	Adapters func(ctx context.Context) []wire.ObservationAdapterStatus // probes; may take a second
	Doctor   func(ctx context.Context) wire.Doctor
	Targets  func(ctx context.Context) wire.Targets // running apps, open sites, shells; never stored
	Status   func(ctx context.Context) wire.DaemonStatus
	Stop     func(restart bool)                          // asks the daemon to end after this answer
	Browse   func(ctx context.Context, url string) error // starts the default browser
	// OpenBrowser opens a page in the managed browser, or in one that it attaches to.
	OpenBrowser func(ctx context.Context, r wire.BrowserOpen) (wire.BrowserOpened, error)
	UI          http.Handler // the page's files, on the TCP listener only; may be nil

	Screen    func(display, xauthority string) // the X display of who asks for a browser login; may be nil
	LoginFile string                           // where browser logins are kept over a restart; "" nowhere

	// DemoGrant is the secret of a parent process that made the fresh data directory for its own demo; "" otherwise.
	DemoGrant string
	// IsWindow reports whether a process is Showhow's own window (window.go); nil means the real test. For tests.
	IsWindow func(pid int) bool
	// AgentPIDs returns the processes that hooks and sandbox runs registered as agents; may be nil.
	AgentPIDs func() map[int]string
	// AncestryUntil is the process at which the walk up a caller's ancestors ends. For tests, whose own ancestors are
	// arbitrary.
	AncestryUntil int

	Now       func() clock.Time
	NewID     func() string
	Log       *slog.Logger
	Keepalive time.Duration // between comments on a silent stream; 0: 30 s (DOC3 0C.16C)
	Grace     time.Duration // how long a request in flight may take after the daemon was asked to stop; 0: 5 s
	TCPIdle   time.Duration // the TCP listener closes after this long without use; 0: 30 min
}
