package capture

import (
	"slices"
	"time"
)

// Observation is what an adapter saw, before scope, redaction and sealing. It exists in memory only and is never
// logged.
type Observation struct {
	Key        string // the adapter's own id for it, unique while it runs; how CauseKey refers to it
	CauseKey   string // the observation that caused this one ("" unknown): a click causes its navigation and its download
	Kind       Kind
	Origin     Origin
	OccurredAt time.Time // when it happened, by the source's clock mapped to wall time, microseconds
	Verb       Verb
	Surface    ControlSurface
	Window     string  // window or tab title
	Target     *Target // what it was done to
	Drop       *Target // for Drag: where it was dropped
	Value      *RawValue
	Page       *Page
	Command    *RawCommand
	File       *File
	Dialog     *DialogInfo
	MIDI       *MIDIGesture
	Call       *RawCall
	Keys       string // for Press: "Enter", "Control+S"
	Before     *State
	After      *State
	Changed    bool // the adapter saw the state of the world change
}

// Origin is what the scope checks. Empty fields do not apply.
type Origin struct {
	App     string // app family: "chromium", "bash", "zsh"; lower case
	Site    string // host, with :port unless it is the scheme's default
	Shell   string // one tty, as "pts/3"
	Folder  string // absolute path
	Device  string // MIDI device name
	PID     int
	Private bool // private window, history switched off, space-prefixed command
	Own     bool // Showhow's own window, tab, CLI or process: always withheld
}

// Target is the element acted upon, described so that it can be found again by meaning. Locators are ranked, best
// first; all its texts are redacted.
type Target struct {
	Role        string     `json:"role,omitempty"`                      // ARIA role: button, textbox, checkbox, link, row, ...
	Name        string     `json:"name,omitempty"`                      // accessible name
	Label       string     `json:"label,omitempty"`                     // the visible label of a field
	Placeholder string     `json:"placeholder,omitempty"`               //
	Text        string     `json:"text,omitempty"`                      // own visible text, shortened
	InputType   string     `json:"input_type,omitempty"`                // HTML input type
	Tag         string     `json:"tag,omitempty"`                       //
	Options     []string   `json:"options,omitempty"`                   // of a select or a group of buttons or boxes, at most 50
	Landmark    *Landmark  `json:"landmark,omitempty"`                  // the nearest named region, form, dialog, table row or heading
	Frame       string     `json:"frame,omitempty"`                     // name or URL path of the frame it was in, "" for the top one
	Href        string     `json:"href,omitempty"`                      // of a link; redacted URL
	Locators    []Locator  `json:"locators,omitempty"`                  //
	CountedAt   string     `json:"counted_at,omitempty"`                // when the locators' matches were counted
	Shows       string     `json:"shows,omitempty" enum:"section,page"` // what pressing only brings into sight
	Sends       string     `json:"sends,omitempty" enum:"form"`         // what pressing sends: a form in which there is nothing to fill in
	Marks       bool       `json:"marks,omitempty"`                     // pressing it changed how it looks, and nothing of its like
	Given       bool       `json:"-"`                                   // its name is a value of a run: what has another name is another thing
	OfEveryRow  bool       `json:"-"`                                   // a deed that the rows of a list have: its name is nobody's data
	ItemTexts   []ItemText `json:"-"`                                   // of the item of a list that it belongs to; memory only
}

// ItemText is a text of one of several items (rows, cards, entries), and where in it the text stands: a selector, as
// browser/page/parts/41-item-texts.js makes and reads it.
type ItemText struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// SendsForm is what Target.Sends says of a button whose form is sent to be acted upon (by POST), and asks nothing.
const SendsForm = "form"

// Located is the value of a target's first locator of a kind, "" if there is none.
func (t *Target) Located(by string) string {
	for _, l := range t.Locators {
		if l.By == by {
			return l.Value
		}
	}
	return ""
}

// IsAlone reports whether nothing else of a target's role had its name, as far as that was counted.
func (t *Target) IsAlone() bool {
	for _, l := range t.Locators {
		if l.By == "role" {
			return l.Matches <= 1
		}
	}
	return t.Name != ""
}

// What pressing a control only reveals: the inside of a collapsed section or folder, another page of a list.
const (
	ShowsSection = "section"
	ShowsPage    = "page"
)

// IsRow reports whether elements of a role stand in a list, so that their text is one entry's data.
func IsRow(role string) bool {
	return slices.Contains([]string{"row", "cell", "gridcell", "listitem", "article"}, role)
}

// IsData reports whether the name of an element of a role is content rather than a control's name.
func IsData(role string) bool {
	return IsRow(role) || slices.Contains([]string{"paragraph", "text", "statictext", "definition", "term", "blockquote", "note", "log",
		"comment", "generic", "none", "presentation"}, role)
}

// Landmark is a place a person would name: "in the dialog 'Edit order'", "in the row of 'A-1042'".
type Landmark struct {
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
}

// Locator is one way to find a target again.
type Locator struct {
	By      string `json:"by" enum:"role,label,placeholder,text,testid,title,alt,sent,drawn,spot,beside,over,structure,css"`
	Role    string `json:"role,omitempty"`
	Value   string `json:"value"`
	Matches int    `json:"matches"` // how many elements matched when counted; 0 means not counted
}

// Page is where a browser action happened.
type Page struct {
	URL     string `json:"url"`               // redacted: no user info, secret-like query values masked
	Pattern string `json:"pattern,omitempty"` // the URL with its variable parts as {id}, {date}, ... (compile's URL checks use it)
	Title   string `json:"title,omitempty"`
	Tab     string `json:"tab,omitempty"` // stable per tab within a session: "tab1"
}

// File is a file that an action produced or used. Names are redacted; content is never kept.
type File struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"` // relative to the scope folder or the download folder
	Ext  string `json:"ext,omitempty"`  // with the dot, lower case
	Size int64  `json:"size"`
	Hash string `json:"hash,omitempty"` // sha256, hex

	Change string `json:"change,omitempty" enum:"created,changed,moved,removed"` // where it is evidence of an effect
	From   string `json:"from,omitempty"`                                        // its Path before it was moved
	Folder string `json:"folder,omitempty"`                                      // where it is: redacted, home as ~
	Dir    bool   `json:"dir,omitempty"`                                         // a folder; a changed one stands for many files in it
	Files  int    `json:"files,omitempty"`                                       // of a folder: how many files
}

// DialogInfo is a native dialog (alert, confirm, prompt, beforeunload).
type DialogInfo struct {
	Type     string `json:"type"`
	Message  string `json:"message,omitempty"`
	Accepted bool   `json:"accepted"`
}

// State is a compact digest of what a person could see. The difference between the states before and after an action
// is its effect.
type State struct {
	URL      string   `json:"url,omitempty"`
	Title    string   `json:"title,omitempty"`
	Headings []string `json:"headings,omitempty"` // visible h1..h3, in order, at most 12
	Dialogs  []string `json:"dialogs,omitempty"`  // accessible names of open dialogs
	Alerts   []string `json:"alerts,omitempty"`   // role=alert, status, live regions
	Invalid  []string `json:"invalid,omitempty"`  // labels of fields that are marked or validated invalid
	Focus    string   `json:"focus,omitempty"`    // role and name
	Tables   []Table  `json:"tables,omitempty"`
	Fields   []Field  `json:"fields,omitempty"`  // named fields with their (policy-bound) values, at most 40
	Details  []Field  `json:"details,omitempty"` // what the page says of one thing by labels ("Status: Paid"), bound likewise, at most 20

	Cwd   string `json:"cwd,omitempty"` // terminal: redacted, home as ~
	Files []File `json:"files,omitempty"`
}

// Table is the shape of a visible table or list: never its cells' text.
type Table struct {
	Name    string   `json:"name,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Rows    int      `json:"rows"`
	Total   int      `json:"total,omitempty"` // how many there are, as the page says: the 350 of "1-20 of 350"
}

// Field is a form field's state. Value is set by the pipeline from Raw, which is never serialised.
type Field struct {
	Label string    `json:"label"`
	Role  string    `json:"role,omitempty"`
	Value *Value    `json:"value,omitempty"`
	Raw   *RawValue `json:"-"`
}

// RawCommand is a shell command or program start as the adapter saw it.
type RawCommand struct {
	Line     string // the whole line as typed
	Shell    string // bash, zsh, fish, or "" for a program start
	CwdFrom  string // absolute
	CwdTo    string
	Exit     int
	Duration time.Duration
	Seq      int64 // the shell's own number for it

	Parent   string // of a program start: app family of what started it
	Running  bool   // it had not ended when it was reported: Exit and Duration say nothing
	Children int    // processes that it started, folded into it
}

// MIDIGesture is one gesture on a controller: a chord or a knob's sweep is one gesture, whatever its number of
// messages.
type MIDIGesture struct {
	Gesture    string `json:"gesture" enum:"note,chord,control,program,pitch_bend,transport"`
	Channel    int    `json:"channel,omitempty"`                   // 1 to 16; 0 for transport
	Numbers    []int  `json:"numbers,omitempty"`                   // notes, the controller or the program: 0 to 127; a parameter: 0 to 16383
	Parameter  string `json:"parameter,omitempty" enum:"rpn,nrpn"` // the number is that of a parameter, not of a controller
	Bank       int    `json:"bank,omitempty"`                      // chosen together with the program: 0 to 16383
	From       int    `json:"from,omitempty"`                      // first value of a sweep; velocity of a note (the loudest of a chord)
	To         int    `json:"to,omitempty"`                        // last value of a sweep
	Peak       *int   `json:"peak,omitempty"`                      // where a sweep turned round, when that is beyond From and To
	Max        int    `json:"max,omitempty"`                       // the largest value possible; 0: 127. 16383; of pitch_bend 8191 (and -8192)
	Messages   int    `json:"messages"`                            // how many were folded into it
	DurationMS int64  `json:"duration_ms"`                         //
	Transport  string `json:"transport,omitempty"`                 // start, stop, continue, play, record, ...
}

// Momentary reports whether a controller's gesture is that of a button: down and up again.
func (m *MIDIGesture) Momentary() bool {
	return m.Gesture == "control" && m.Messages == 2 && m.From > 0 && m.To == 0
}

// RawCall is an agent's tool call, as its hook reported it or as it went through Showhow itself (the door).
type RawCall struct {
	Agent     string // claude-code, codex, openclaw, ...
	RunID     string // the agent's own run or session
	Tool      string // the tool's name as the agent knows it
	Connector string // id of the connector whose tool it is
	Class     string // what the door takes the tool to do
	Args      []RawArg
	ArgsCut   bool // there are more, or some that a name and a value do not say
	Failed    bool
	Duration  time.Duration
}

// RawArg is one argument of a tool call; nested ones are named by their path ("edits.0.new_string").
type RawArg struct {
	Name  string
	Form  string // its JSON type if not a string: number, truth, nothing, list, object (the last two: empty)
	Value RawValue
}
