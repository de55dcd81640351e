package workflow

import (
	"showhow/capture"
)

// Graph is WorkflowGraph, the intermediate form. Internal: it is shown in review and never given to an agent.
type Graph struct {
	Steps  []Step  `json:"steps"`
	Params []Param `json:"params"`
	Loops  []Loop  `json:"loops"`
}

// Step is one meaningful step: an action with its context, or several that belong together. Every text from the page
// or the shell is generalised: {name} stands for a parameter's value (Graph.Params, derived ones included; see
// Derive), {*} for a part that varies and is unknown. A constant's value stands as text.
//
// A check or uncheck with a Value {name} sets its box to a yes-or-no input: "yes" is ticked. In a command, a list
// input ({files}, Param.List) stands for several words.
type Step struct {
	StepID     string               `json:"step_id"`           // s1, s2, ...
	Title      string               `json:"title"`             // what it was for, in a person's words
	Section    string               `json:"section,omitempty"` // the part of the work it belongs to, when the person named it
	Part       int                  `json:"part,omitempty"`    // which part, from 1, of work that was split into separate requests
	Surface    string               `json:"surface" enum:"browser,shell,program,midi,agent,mcp_connector"`
	Verb       capture.Verb         `json:"verb"`
	Target     *capture.Target      `json:"target,omitempty"`
	Drop       *capture.Target      `json:"drop,omitempty"` // of a drag: the drop target
	Page       *capture.Page        `json:"page,omitempty"`
	Command    string               `json:"command,omitempty"`  // with {inputs}
	ParamID    string               `json:"param_id,omitempty"` // the parameter that it enters or picks
	Value      string               `json:"value,omitempty"`    // what it enters or picks, with {inputs}
	Keys       string               `json:"keys,omitempty"`
	MIDI       *capture.MIDIGesture `json:"midi,omitempty"`
	Device     string               `json:"device,omitempty"`   // MIDI
	Dir        string               `json:"dir,omitempty"`      // where the command ran, home as ~
	Document   string               `json:"document,omitempty"` // that the command reads, with {inputs}
	File       *capture.File        `json:"file,omitempty"`     // that it produces or uses; its name with {inputs}
	Dialog     string               `json:"dialog,omitempty"`   // the native dialog it answers: accepted or dismissed
	NewTab     bool                 `json:"new_tab,omitempty"`
	Times      int                  `json:"times,omitempty"`     // how often in a row, when more than once
	AsNeeded   bool                 `json:"as_needed,omitempty"` // how often it was done differed, and nothing that was seen tells why
	Optional   bool                 `json:"optional,omitempty"`  // some demonstrations did without it
	Condition  string               `json:"condition,omitempty"` // when it is needed, as observed or as the person said
	When       *Check               `json:"when,omitempty"`      // the same as a machine check, if any: it must hold for the step
	ByPerson   bool                 `json:"by_person,omitempty"` // no machine can tell when it is needed: its run is partial at most
	Connector  string               `json:"connector,omitempty"` // of a call through Showhow's door: whose tool it is
	Tool       string               `json:"tool,omitempty"`      // the tool's name at the door
	Class      string               `json:"class,omitempty"`     // what the door took it to do: read, write, send, delete, other
	Args       []Argument           `json:"args,omitempty"`      // what it is given
	ArgsCut    bool                 `json:"args_cut,omitempty"`  // not all of that is known
	EventIDs   []string             `json:"event_ids"`           // evidence
	Before     *capture.State       `json:"before,omitempty"`
	After      *capture.State       `json:"after,omitempty"`
	Changed    bool                 `json:"changed"`
	StartsAnew bool                 `json:"starts_anew,omitempty"` // its field held the same each time, whatever had been entered in it before
	Effect     bool                 `json:"effect,omitempty"`      // it changed something that stays: a form sent, a file made
	Grave      bool                 `json:"grave,omitempty"`       // it cannot be undone or reaches other people: ask before it
	Checkpoint string               `json:"checkpoint_id,omitempty"`
}

// Argument is one argument of a tool call; nested ones are named by their path ("filter.since", "labels.0").
type Argument struct {
	Name  string `json:"name"`
	Form  string `json:"form,omitempty" enum:"number,truth,nothing,list,object"` // what it is in JSON where that is no text
	Value string `json:"value,omitempty"`                                        // with {inputs}; {*}: not known
}

// Param is a value that the demonstrator supplied.
type Param struct {
	ParamID  string            `json:"param_id"` // p1, ...
	Name     string            `json:"name"`     // from its field's label: "customer", snake_case
	Label    string            `json:"label"`
	Kind     capture.ValueKind `json:"kind"`
	Role     string            `json:"role" enum:"input,constant,example,dropped,undecided"`
	Options  []string          `json:"options,omitempty"`
	LinkID   string            `json:"link_id,omitempty"`
	Default  string            `json:"default,omitempty"` // only text the person decided to keep
	Required bool              `json:"required"`
	UsedIn   []string          `json:"used_in"`           // step ids
	Derived  string            `json:"derived,omitempty"` // "the year and month of {date}, as YYYY-MM": computed, not asked for
	Example  string            `json:"example,omitempty"` // only text that the person chose or that was literal
	Loop     bool              `json:"loop,omitempty"`    // one for each round of a loop
	List     bool              `json:"list,omitempty"`    // several values at once, written one after the other: the files of a command
	Read     *capture.Source   `json:"read,omitempty"`    // where the page or a document shows it, so that it need not be asked for

	Description string `json:"description,omitempty"` // the person's own words
}

// FromItem reports whether a parameter is a text of an item that another parameter picks: it is read there and picks nothing.
func (p *Param) FromItem() bool { return p.Read != nil && p.Read.ItemOf != "" }

// Loop is a repeated run of steps.
type Loop struct {
	Over   string   `json:"over"`             // in words: "each order"
	Params []string `json:"params,omitempty"` // ids of the parameters that differ from round to round
	Steps  []string `json:"steps"`
	Rounds int      `json:"rounds"` // how many were demonstrated
}

// FillsField reports whether a step enters a value, whatever its field.
func (s *Step) FillsField() bool {
	return s.Verb == capture.Type || s.Verb == capture.Select || s.Verb == capture.Upload
}

// The surfaces that a step can be taken on (Step.Surface).
const (
	OnBrowser = "browser"
	OnShell   = "shell"
	OnProgram = "program"
	OnMIDI    = "midi"
	OnAgent   = "agent"

	OnConnector = "mcp_connector" // a tool of a connector, called through Showhow's door
)

// The roles that a parameter can have (Param.Role). RoleUndecided stays until a person answers.
const (
	RoleInput     = "input"
	RoleConstant  = "constant"
	RoleExample   = "example"
	RoleDropped   = "dropped"
	RoleUndecided = "undecided"
)
