// Package port declares what a rehearsal needs of the machine: a stage with a room for each run, and a browser and a
// shell in it. Package daemon/stage implements it. It promises nothing itself; each interface says what its
// implementation owes. Everything that passes through it holds page text and values: memory only, never logged. Tests
// of a rehearsal bring their own stage.
package port

import (
	"context"

	"showhow/capture"
	"showhow/daemon/wire"
)

// Shower is a Stage that knows whether its browser is visible to a person; the error says what is missing.
type Shower interface{ CanShow() error }

// Key identifies a row: the same words in another list are another row.
func (r Row) Key() string { return r.List + "\x00" + r.Text }

// Stage is the machine that a workflow is performed on. The real one is a Chromium driven by input events and a
// sandbox for commands. Everything that a Stage returns holds page text and values: memory only, never logged.
type Stage interface {
	// Ready checks whether steps on a surface ("browser", "shell") can be performed here with everything enforced; the
	// error says what is missing.
	Ready(ctx context.Context, surface string) error
	// Room makes an empty place for one run. What a crash leaves of it is removed before the next start.
	Room(ctx context.Context, runID string) (Room, error)
}

// Room is where one run happens: a folder that is the run's home, a browser, a shell.
type Room interface {
	Dir() string       // absolute; everything that the run makes is below
	Downloads() string // absolute, below Dir
	Browser(ctx context.Context, s BrowserSpec) (Browser, error)
	Shell(ctx context.Context, s ShellSpec) (Shell, error)
	// Close ends what is still open, removes the folder, and checks that nothing is left; the error names what is. It
	// does not end with the run's context.
	Close() error
}

// BrowserSpec says how the browser of a run is opened.
type BrowserSpec struct {
	Headed  bool
	Managed bool     // in the managed profile, where the person is signed in; otherwise a fresh one
	Hosts   []string // that may be reached at all, by whatever protocol; see Allows
	Guard   Guard    // judges every request before it leaves
	// Answered is told the HTTP status of each answer to a request that may have changed something, 0 when none came. It must not block.
	Answered func(r Outgoing, status int)
}

// Guard returns why a request must not leave, "" when it may. It is called from any goroutine.
type Guard func(Outgoing) (why string)

// SocketMessage is the type of a message through a WebSocket: its method is POST, its address the socket's, its body the message.
const SocketMessage = "SocketMessage"

// Outgoing is a request that a page wants to make. A WebSocket has the method GET and the type "WebSocket".
type Outgoing struct {
	Method     string
	URL        string
	Type       string // CDP's resource type: Document, XHR, Fetch, Image, ...
	Navigation bool
	Main       bool   // it is for the main document of the present page
	Frame      bool   // it is for a frame of a page
	Body       []byte // at most 64 KiB
	Cut        bool   // Body is incomplete, or the body could not be read
	Form       bool
	Aside      bool // it belongs to a second look, not to the present page
}

// Act is one action on a page.
type Act struct {
	Verb   capture.Verb
	Target *capture.Target // texts with the values filled in; "{*}" is any text
	Drop   *capture.Target // of a drag
	Value  string
	Keys   string
	Files  []string // absolute paths, for an upload
	Dialog string   // accepted or dismissed: the answer to a native dialog
	NewTab bool     // it opens a tab
	URL    string   // of a navigation
	Tab    string   // as the demonstration names it
	Leave  bool     // after entering text, the focus leaves the field

	Found   func(context.Context) // called once when the target was found, before it is acted upon
	Further func(context.Context) // called when the target was found further down in a list, before it is acted upon

	// Before the target is acted upon, OnItem gets the texts of the item that it belongs to at these paths (capture.ItemText);
	// "" where there is none. Set both or neither.
	ItemPaths []string
	OnItem    func(ctx context.Context, texts []string)

	// The first requests of a page's script for which Holds is true wait, at most a second, until Held has looked at
	// the page: what it shows then did not come from its site. Set both or neither.
	Holds func(Outgoing) bool
	Held  func(context.Context)
}

// Outcome is the result of an act.
type Outcome struct {
	Role, Name string // of the element that was used
	Drift      []string
	Moved      *capture.Landmark // where the element is now, if it moved; role "none": in no named place
	Beside     []Control         // what could be taken for it by its role
	Blocked    []Blocked
	Downloads  []Download
	Dialogs    []string // messages of native dialogs
}

// Blocked is a request that did not leave.
type Blocked struct {
	Method, Host string
	Navigation   bool
	Main         bool // it was for the main document of the present page
	Frame        bool // it was for a frame of a page
	Script       bool // a script of the page sent it to change something
	Why          string
}

// Download is a file that arrived.
type Download struct {
	Name string
	Path string // absolute
	Size int64
}

// Page is what a person could read.
type Page struct {
	State  capture.State // fields with their raw values
	Text   string        // visible text of all frames
	Rows   []Row         // of its tables and lists
	Status int           // HTTP status of the document, 0 when not known
}

// Row is a row of a table or list as a person reads it, fields included, or a label with its value.
type Row struct {
	List    string // identifies a list of a page
	Text    string
	Columns []string // names of its cells, if they have names
	Cells   []string
	Links   []Link
	Deeds   []string // labels of its buttons and links that can be pressed
}

// Link is a link in a row.
type Link struct{ Name, Href string }

// NotFound means that a target was missing or ambiguous.
type NotFound struct {
	Ambiguous bool
	Wanted    string
	Seen      []string // the nearest candidates
	Beside    []Control
}

// Control is a control beside one that was looked for: whether it is in the same place, and whether its words say that it is
// something else.
type Control struct {
	Role, Name   string
	There, Other bool
}

func (n *NotFound) Error() string {
	if n.Ambiguous {
		return "several elements could be meant"
	}
	return "the element is not there"
}

// Browser performs acts in one browser with its own profile.
type Browser interface {
	Open(ctx context.Context, url string) error
	// Do performs an act and waits until the page has processed it; *NotFound when its target is missing or ambiguous.
	Do(ctx context.Context, a Act) (Outcome, error)
	// Settle waits until the state is as wanted or ctx ends, and returns the last state with whether it was.
	Settle(ctx context.Context, wanted func(capture.State) bool) (capture.State, bool, error)
	// Read returns the current page.
	Read(ctx context.Context) (Page, error)
	// Frames returns the addresses of the frames of the current page.
	Frames(ctx context.Context) []string
	// Rows returns the rows of tables and lists on the current page.
	Rows(ctx context.Context) ([]Row, error)
	// Peek opens an address in a separate tab and reads it once it is idle: a fresh look at what is stored. The tab
	// serves further looks, and acts in it, until Return closes it and returns to the current page.
	Peek(ctx context.Context, url string) (Page, error)
	Return(ctx context.Context) error
	// Has reports whether an element is on the page, once or more.
	Has(ctx context.Context, t *capture.Target) (bool, error)
	// Explore visits what the current page does not show at once, closed sections and folders, further pages of lists,
	// other tabs, until there reports true. where says where that was, "" for nowhere; whole means that everything was
	// visited. Only reading requests leave.
	Explore(ctx context.Context, there func(context.Context) bool) (where string, whole bool)
	// Status is the HTTP status of the current page, 0 when unknown.
	Status(ctx context.Context) int
	// SignIn reports whether the page asks to sign in.
	SignIn(ctx context.Context) (bool, error)
	Close() error
}

// Connectors is the door to connected services, as a rehearsal uses it. The person's policy applies as always.
type Connectors interface {
	// Try checks whether a connector, and its tool if named, can be called now; the error says what is missing.
	Try(ctx context.Context, connector, tool string) error
	// Call calls a tool by its name at the door. readsOnly refuses the call unless the tool only reads.
	Call(ctx context.Context, tool string, args []byte, readsOnly bool) (CallResult, error)
}

// CallResult is the result of a call.
type CallResult struct {
	Failed bool
	Text   string
}

// ShellSpec bounds a run's commands.
type ShellSpec struct {
	Hosts []string // that commands may reach; none: the network is closed
	Fish  bool     // the lines are fish's and not bash's
}

// Shell runs command lines in the sandbox, with the run's folder as home.
type Shell interface {
	// Run runs one line in dir, relative to the run's folder. A killed line is no error. If programs are named, the
	// line is expected to leave them running: it is over when all of them have run for a moment, or when it ends
	// without them.
	Run(ctx context.Context, line, dir string, programs []string) (CommandResult, error)
	Close() error
}

// CommandResult is the result of a command line.
type CommandResult struct {
	ExitCode int
	Output   []byte
	Killed   string   // why it was ended, "" when it ended by itself
	Refused  []string // hosts that it was not allowed to reach
	Running  []string // those of the named programs that were still running when the line ended
}

// Teller is a Browser that can read the place where a demonstration read a value off the page; "" if it is missing.
type Teller interface {
	TextAt(ctx context.Context, at capture.Source) (string, error)
}

// Documents reads documents of a run.
type Documents interface {
	// Values reads what stands at places of a document; the error says which could not be read.
	Values(ctx context.Context, document []byte, at []wire.DocumentPlace) ([]string, error)
}

// Sighted is a Browser that says what it found: an element that is there under another name is a repair.
type Sighted interface {
	// Sight is Has, with the element; without one when several could be meant. *NotFound when it is missing.
	Sight(ctx context.Context, t *capture.Target) (has bool, out Outcome, err error)
}

// Stored is what a browser holds for the site of a page, as the browser itself knows it. It may be anybody's data: memory only.
type Stored any

// Forgetful is a Browser that can look as if pages had stored nothing in it for a while.
type Forgetful interface {
	// Stored returns what the browser holds now for the site of the present page; nil when there is nothing to hold.
	Stored(ctx context.Context) (Stored, error)
	// Forget makes the looks that follow, until Return, those of a browser that holds what was stored then. It reports false, and changes
	// nothing, when nothing was stored since, unless it is to be done anyway.
	Forget(ctx context.Context, was Stored, anyway bool) (bool, error)
}

// Photographer is a Browser that can take a screenshot in which fields, tables and texts that hold one of the words
// are hidden; nil when it cannot.
type Photographer interface {
	Picture(ctx context.Context, words []string) []byte
}
