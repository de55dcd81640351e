package wire

import "showhow/internal/clock"

// ObservedActionEvent is ObservedActionEvent (DOC3 0C.22): inside the scope, redacted, small. Its refs name details.
type ObservedActionEvent struct {
	EventID           string         `json:"event_id" format:"uuid"`
	LearnSessionID    string         `json:"learn_session_id" format:"uuid"`
	AdapterKind       AdapterKind    `json:"adapter_kind" enum:"browser_dom,browser_snapshot,accessibility_ui,keyboard_shortcut,text_entry,mouse_click,clipboard,file_dialog,process_launch,terminal_command,midi,mcp_receipt,wrapper_receipt"`
	AppFamily         string         `json:"app_family,omitempty" maxLength:"80"`
	WindowTitle       string         `json:"window_title,omitempty" maxLength:"200"`
	ActionLabel       string         `json:"action_label" maxLength:"240"`
	ControlSurface    ControlSurface `json:"control_surface,omitempty"`
	TargetRef         string         `json:"target_ref,omitempty" maxLength:"240"`
	BeforeStateRef    string         `json:"before_state_ref,omitempty" maxLength:"240"`
	AfterStateRef     string         `json:"after_state_ref,omitempty" maxLength:"240"`
	CausedStateChange bool           `json:"caused_state_change"`
	RedactionMode     string         `json:"redaction_mode" enum:"none,mask_text,hash_only"`
	CreatedAt         clock.Time     `json:"created_at" format:"date-time"` // when it happened
	SchemaVersion     int            `json:"schema_version" enum:"1"`
}

// CaptureAction is the detail record behind target_ref: everything that the compiler needs and the small event does
// not carry.
type CaptureAction struct {
	Verb         Verb              `json:"verb"`
	OccurredAt   string            `json:"occurred_at"` // RFC 3339 with microseconds
	CauseEventID string            `json:"cause_event_id,omitempty"`
	Target       *ObservedTarget   `json:"target,omitempty"`
	Value        *ObservedValue    `json:"value,omitempty"`
	Page         *ObservedPage     `json:"page,omitempty"`
	Command      *ObservedCommand  `json:"command,omitempty"`
	File         *ObservedFile     `json:"file,omitempty"`
	Dialog       *ObservedDialog   `json:"dialog,omitempty"`
	Drop         *ObservedTarget   `json:"drop,omitempty"`
	MIDI         *MIDIGesture      `json:"midi,omitempty"`
	Call         *ObservedToolCall `json:"call,omitempty"`
	Keys         string            `json:"keys,omitempty"`
	Shell        string            `json:"shell,omitempty"` // tty
	Site         string            `json:"site,omitempty"`
	Device       string            `json:"device,omitempty"`
	PID          int               `json:"pid,omitempty"` // of the program, or of the shell: joins a command with what it started
	Mentions     []ItemMention     `json:"mentions,omitempty"`
}

// ItemMention is a text of an item of a list that was picked before, and that the page now shows elsewhere: the heading under which the
// item opened, the dialog that asks about it.
type ItemMention struct {
	EventID string `json:"event_id" format:"uuid"` // of the act that picked the item
	Path    string `json:"path"`                   // where the text stood in the item: a selector
	Text    string `json:"text"`
}

// Observation is one kept observation with its details, as stored and compiled. The store assigns Seq: arrival order,
// unique over all sessions, and the id of the live stream.
type Observation struct {
	Seq     int64               `json:"seq"`
	TraceID string              `json:"trace_id" format:"uuid"`
	Event   ObservedActionEvent `json:"event"`
	Action  CaptureAction       `json:"action"`
	Before  *CaptureState       `json:"before,omitempty"`
	After   *CaptureState       `json:"after,omitempty"`
}

// WithheldReason says why an observation was dropped.
type WithheldReason string

// Withheld counts dropped observations; their content is never kept.
type Withheld struct {
	Adapter AdapterKind    `json:"adapter"`
	Reason  WithheldReason `json:"reason"`
	Count   int64          `json:"count"`
}

// AdapterKind is an adapter kind (DOC3 0C.22).
type AdapterKind string

// Inside reports whether the kind observes an agent's own work (observation_mode inside_agent) rather than a person's.
func (k AdapterKind) Inside() bool { return k == "mcp_receipt" || k == "wrapper_receipt" }

// ControlSurface is the surface through which an action was done (DOC2 0.2A).
type ControlSurface string

// Verb is what was done, the same for every adapter.
type Verb string

// ObservedTarget is the thing acted upon, described so that it can be found again by meaning. Locators are ranked,
// best first; the redactor cleans every text in here.
type ObservedTarget struct {
	Role        string            `json:"role,omitempty"`                      // ARIA role: button, textbox, checkbox, link, row, ...
	Name        string            `json:"name,omitempty"`                      // accessible name
	Label       string            `json:"label,omitempty"`                     // the visible label of a field
	Placeholder string            `json:"placeholder,omitempty"`               //
	Text        string            `json:"text,omitempty"`                      // own visible text, shortened
	InputType   string            `json:"input_type,omitempty"`                // HTML input type
	Tag         string            `json:"tag,omitempty"`                       //
	Options     []string          `json:"options,omitempty"`                   // of a select or a group of buttons or boxes, at most 50
	Landmark    *ObservedLandmark `json:"landmark,omitempty"`                  // the nearest named region, form, dialog, table row or heading
	Frame       string            `json:"frame,omitempty"`                     // name or URL path of the frame it was in, "" for the top one
	Href        string            `json:"href,omitempty"`                      // of a link; redacted URL
	Locators    []ObservedLocator `json:"locators,omitempty"`                  //
	CountedAt   string            `json:"counted_at,omitempty"`                // when the locators' matches were counted
	Shows       string            `json:"shows,omitempty" enum:"section,page"` // what pressing only brings into sight
	Sends       string            `json:"sends,omitempty" enum:"form"`         // what pressing sends: a form in which there is nothing to fill in
	Marks       bool              `json:"marks,omitempty"`                     // pressing it changed how it looks, and nothing of its like

}

// ObservedLandmark is a place in a person's words: "in the dialog 'Edit order'", "in the row of 'A-1042'".
type ObservedLandmark struct {
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
}

// ObservedLocator is one way to find a target again.
type ObservedLocator struct {
	By      string `json:"by" enum:"role,label,placeholder,text,testid,title,alt,structure,css"`
	Role    string `json:"role,omitempty"`
	Value   string `json:"value"`
	Matches int    `json:"matches"` // how many elements matched when counted; 0 means not counted
}

// ObservedPage is where a browser action happened.
type ObservedPage struct {
	URL     string `json:"url"`               // redacted: no user info, secret-like query values masked
	Pattern string `json:"pattern,omitempty"` // the URL with its variable parts as {id}, {date}, ... (compile's URL checks use it)
	Title   string `json:"title,omitempty"`
	Tab     string `json:"tab,omitempty"` // stable per tab within a session: "tab1"
}

// ObservedFile is a file that an action produced or used. Names are redacted; content is never kept.
type ObservedFile struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"` // relative to the scope folder or the download folder
	Ext  string `json:"ext,omitempty"`  // with the dot, lower case
	Size int64  `json:"size"`
	Hash string `json:"hash,omitempty"` // sha256, hex

	Change string `json:"change,omitempty" enum:"created,changed,moved,removed"` // for evidence of an effect
	From   string `json:"from,omitempty"`                                        // its Path before it was moved
	Folder string `json:"folder,omitempty"`                                      // where it is: redacted, home as ~
	Dir    bool   `json:"dir,omitempty"`                                         // a folder; a changed one stands for many files in it
	Files  int    `json:"files,omitempty"`                                       // of a folder: how many files
}

// ObservedDialog is a native dialog (alert, confirm, prompt, beforeunload).
type ObservedDialog struct {
	Type     string `json:"type"`
	Message  string `json:"message,omitempty"`
	Accepted bool   `json:"accepted"`
}

// CaptureState is a compact digest of what a person could see. The difference before and after an action is the
// action's effect.
type CaptureState struct {
	URL      string          `json:"url,omitempty"`
	Title    string          `json:"title,omitempty"`
	Headings []string        `json:"headings,omitempty"` // visible h1..h3, in order, at most 12
	Dialogs  []string        `json:"dialogs,omitempty"`  // accessible names of open dialogs
	Alerts   []string        `json:"alerts,omitempty"`   // role=alert, status, live regions
	Invalid  []string        `json:"invalid,omitempty"`  // labels of fields that are marked or validated invalid
	Focus    string          `json:"focus,omitempty"`    // role and name
	Tables   []ObservedTable `json:"tables,omitempty"`
	Fields   []ObservedField `json:"fields,omitempty"`  // named fields with their (policy-bound) values, at most 40
	Details  []ObservedField `json:"details,omitempty"` // labelled values of one object ("Status: Paid"), bounded likewise, at most 20

	Cwd   string         `json:"cwd,omitempty"` // terminal: redacted, home as ~
	Files []ObservedFile `json:"files,omitempty"`
}

// ObservedTable is the shape of a visible table or list, never its cells' text.
type ObservedTable struct {
	Name    string   `json:"name,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Rows    int      `json:"rows"`
	Total   int      `json:"total,omitempty"` // their total, as the page says: the 350 of "1-20 of 350"
}

// ObservedField is a form field's state. Value is set by the pipeline from Raw, which is never serialised.
type ObservedField struct {
	Label string         `json:"label"`
	Role  string         `json:"role,omitempty"`
	Value *ObservedValue `json:"value,omitempty"`
}

// MIDIGesture is one gesture on a controller: a chord or a knob's sweep is one gesture, not one per message.
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

// Scope is what a session may watch; everything else is denied (decisions A4). A site is an exact host,
// "*.example.com" for its subdomains, ":port" optional. A shell is one tty ("pts/3").
type Scope struct {
	Apps    []string `json:"apps" required:"false" maxItems:"50" maxLength:"160"`
	Sites   []string `json:"sites" required:"false" maxItems:"50" maxLength:"260"`
	Folders []string `json:"folders" required:"false" maxItems:"50" maxLength:"1000"`
	Shells  []string `json:"shells" required:"false" maxItems:"50" maxLength:"80"`
	Devices []string `json:"devices" required:"false" maxItems:"50" maxLength:"160"`
}

// ValuePolicy says what is kept of a value.
type ValuePolicy string

// ValueKind is the type of a value in everyday terms.
type ValueKind string

// ObservedValue is what is kept of a RawValue.
type ObservedValue struct {
	Policy ValuePolicy `json:"policy" enum:"literal,masked,omitted"`
	Kind   ValueKind   `json:"kind"`
	Length int         `json:"length,omitempty"`  // in characters; absent when omitted
	LinkID string      `json:"link_id,omitempty"` // equal values of one learning target share it
	Text   string      `json:"text,omitempty"`    // literal only
	Chosen bool        `json:"chosen,omitempty"`
	Source *ShownAt    `json:"source,omitempty"` // where the page showed it before it was typed
}

// ShownAt is where a value that was typed later was shown before: a place on the page, and the words around the value
// there; or a place in a document that a command had read. The value itself is not part of it.
type ShownAt struct {
	Path   string `json:"path,omitempty"`   // a selector
	Before string `json:"before,omitempty"` // the words before it in that place, empty where it stands alone
	After  string `json:"after,omitempty"`
	Near   string `json:"near,omitempty"`    // what stands beside the place, where that names it
	ItemOf string `json:"item_of,omitempty"` // of a learned input: the id of the input that picks an item of a list; Path is within that item

	Document *ShownInDocument `json:"document,omitempty"`
}

// ShownInDocument is where a document has a value: at a place that the command named, or at places that were found.
type ShownInDocument struct {
	EventID string         `json:"event_id,omitempty"` // of the command that read the document
	Place   *DocumentPlace `json:"place,omitempty"`    // as the command named it; of a learned input, where to read it
	Places  []SealedPlace  `json:"places,omitempty"`   // that lead to it
	File    string         `json:"file,omitempty"`     // of a learned input: the document, with {inputs}
}

// SealedPlace is a place whose words are sealed, because a document may say anything there. Equal places of one learning
// target have the same link.
type SealedPlace struct {
	LinkID string `json:"link_id"`
	Spot   int    `json:"spot"` // places of one spot in the document have the same number
}

// ObservedCommand is what is kept of a RawCommand. Line is readable: secrets are replaced by [[secret KIND]] and
// sealed words by [[KIND LENGTH LINK]] (see Mask).
type ObservedCommand struct {
	Line       string          `json:"line"`
	Program    string          `json:"program,omitempty"` // first program of the first simple command, base name
	Words      []ObservedWord  `json:"words,omitempty"`   // words of the line in order; empty when the line could not be parsed
	Shell      string          `json:"shell,omitempty"`
	CwdFrom    string          `json:"cwd_from,omitempty"` // home as ~
	CwdTo      string          `json:"cwd_to,omitempty"`
	Exit       int             `json:"exit"`
	DurationMS int64           `json:"duration_ms"`
	Seq        int64           `json:"seq,omitempty"`
	Sealed     []ObservedValue `json:"sealed,omitempty"` // the values behind the masks in Line, in order

	Parent   string `json:"parent,omitempty"`   // of a program start: app family of what started it
	Running  bool   `json:"running,omitempty"`  // it had not ended: exit and duration_ms say nothing
	Children int    `json:"children,omitempty"` // processes that it started, folded into it
}

// ObservedToolCall is what is kept of a RawCall.
type ObservedToolCall struct {
	Agent      string        `json:"agent"`
	RunID      string        `json:"run_id,omitempty"`
	Tool       string        `json:"tool"`
	Connector  string        `json:"connector,omitempty" doc:"whose tool it is, of a call that went through Showhow's door"`
	Class      string        `json:"class,omitempty" doc:"what the door takes the tool to do: read, write, send, delete, other"`
	Args       []ObservedArg `json:"args,omitempty"` // at most 40
	ArgsCut    bool          `json:"args_cut,omitempty" doc:"there are more, or some that a name and a value do not say"`
	Failed     bool          `json:"failed,omitempty"`
	DurationMS int64         `json:"duration_ms,omitempty"`
}

// ObservedArg is one argument of a tool call.
type ObservedArg struct {
	Name  string         `json:"name"`
	Form  string         `json:"form,omitempty" doc:"what it is in JSON where that is no text: number, truth, nothing, list, object"`
	Value *ObservedValue `json:"value"`
}

// ObservedWord is one word of a command line: readable text or a value.
type ObservedWord struct {
	Text  string         `json:"text,omitempty"`
	Value *ObservedValue `json:"value,omitempty"`
}

// Empty reports whether the scope names nothing.
func (s Scope) Empty() bool {
	return len(s.Apps)+len(s.Sites)+len(s.Folders)+len(s.Shells)+len(s.Devices) == 0
}
