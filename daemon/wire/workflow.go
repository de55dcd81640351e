package wire

import "showhow/internal/clock"

// CheckpointCheck is what a machine can verify. tests/checks.json in the bundle holds them all.
//
// Expect may hold {name} for a parameter's value and {*} for any text. What the kinds compare:
//
//	url          Expect: the address's path (and, after "?", those query values that inputs give); other query values are free
//	heading      Expect: a visible heading's text
//	dialog       Expect: an open dialog's name
//	alert        Expect: the text of a message, alert or status
//	text         Expect: text that is visible on the page
//	field_value  Name: the field's label; Expect: its value
//	detail       Name: a label of the page that is no field's; Expect: what stands beside it; without Expect: something else than before
//	row_count    Name: the table or list, or the heading over it; Extra["columns"]: its columns, joined by "; ";
//	             Delta: by how many rows it changed, with Extra["each"] for every item of that input; or Extra["min"]: the least
//	             number of rows
//	file         Expect: the file's name; MinBytes; Extra["ext"]: its ending; Extra["where"]: "downloads", "cwd", or
//	             "folder": Extra["folder"] is the end of its path
//	exit_code    Name: the program; Expect: the code
//	element      Role, Name: something visible on the page, or, with Gone, something that no longer is
//	process      Name: a program that runs
//	input        only as a step's condition. Name: the input; Expect: its value ("yes", "no", an option)
//	manual       Expect: what only a person can tell, because nothing of it can be seen by a program
type CheckpointCheck struct {
	Kind     string            `json:"kind" enum:"url,heading,dialog,alert,text,element,row_count,field_value,detail,file,exit_code,output,process,input,manual"`
	Expect   string            `json:"expect,omitempty" maxLength:"240"` // with {inputs}
	Gone     bool              `json:"gone,omitempty"`                   // it must not be there
	Role     string            `json:"role,omitempty"`
	Name     string            `json:"name,omitempty"`
	Delta    int               `json:"delta,omitempty"` // row_count: change, when known
	MinBytes int64             `json:"min_bytes,omitempty"`
	Extra    map[string]string `json:"extra,omitempty"`
}

// WorkflowCheckpoint is a state of the world worth verifying: a sentence in a person's words and, where possible, a
// machine check.
type WorkflowCheckpoint struct {
	CheckpointID     string            `json:"checkpoint_id" maxLength:"160"` // cp-01, ...
	Goal             string            `json:"goal" maxLength:"240"`
	SuccessCondition string            `json:"success_condition" maxLength:"240"`
	OrderHint        int               `json:"order_hint"`
	StepID           string            `json:"step_id,omitempty"`
	Evidence         []string          `json:"evidence,omitempty"` // event ids
	Check            *CheckpointCheck  `json:"check,omitempty"`
	MoreChecks       []CheckpointCheck `json:"more_checks,omitempty"` // hold together with Check
	Effect           bool              `json:"effect,omitempty"`      // it proves that something was changed or made, not only that a page is open
}

// WorkflowGraph is WorkflowGraph, the intermediate form. Internal: it is shown in review and never given to an agent.
type WorkflowGraph struct {
	Steps  []WorkflowStep  `json:"steps"`
	Params []WorkflowParam `json:"params"`
	Loops  []WorkflowLoop  `json:"loops"`
}

// WorkflowStep is one meaningful step: an action with its context, or several that belong together. Every text from
// the page or the shell is generalised: {name} stands for a parameter's value (WorkflowGraph.Params, derived ones
// included), {*} for a part that varies and is unknown. A constant's value stands as text.
//
// A check or uncheck with a Value {name} sets its box to a yes-or-no input: "yes" is ticked. In a command, a list
// input ({files}, Param.List) stands for several words.
type WorkflowStep struct {
	StepID     string             `json:"step_id"`           // s1, s2, ...
	Title      string             `json:"title"`             // what it was for, in a person's words
	Section    string             `json:"section,omitempty"` // the part of the work it belongs to, when the person named it
	Part       int                `json:"part,omitempty"`    // which part, from 1, of work that was split into separate requests
	Surface    string             `json:"surface" enum:"browser,shell,program,midi,agent,mcp_connector"`
	Verb       Verb               `json:"verb"`
	Target     *ObservedTarget    `json:"target,omitempty"`
	Drop       *ObservedTarget    `json:"drop,omitempty"` // of a drag: the drop target
	Page       *ObservedPage      `json:"page,omitempty"`
	Command    string             `json:"command,omitempty"`  // with {inputs}
	ParamID    string             `json:"param_id,omitempty"` // the parameter that it enters or picks
	Value      string             `json:"value,omitempty"`    // what it enters or picks, with {inputs}
	Keys       string             `json:"keys,omitempty"`
	MIDI       *MIDIGesture       `json:"midi,omitempty"`
	Device     string             `json:"device,omitempty"`   // MIDI
	Dir        string             `json:"dir,omitempty"`      // where the command ran, home as ~
	Document   string             `json:"document,omitempty"` // that the command reads, with {inputs}
	File       *ObservedFile      `json:"file,omitempty"`     // that it produces or uses; its name with {inputs}
	Dialog     string             `json:"dialog,omitempty"`   // the native dialog it answers: accepted or dismissed
	NewTab     bool               `json:"new_tab,omitempty"`
	Times      int                `json:"times,omitempty"`     // how often in a row, when more than once
	AsNeeded   bool               `json:"as_needed,omitempty"` // how often it was done differed, and nothing that was seen tells why
	Optional   bool               `json:"optional,omitempty"`  // some demonstrations did without it
	Condition  string             `json:"condition,omitempty"` // when it is needed, as observed or as the person said
	When       *CheckpointCheck   `json:"when,omitempty"`      // the same as a machine check, if any: it must hold for the step
	ByPerson   bool               `json:"by_person,omitempty"` // no machine can tell when it is needed: its run is partial at most
	Connector  string             `json:"connector,omitempty"` // of a call through Showhow's door: whose tool it is
	Tool       string             `json:"tool,omitempty"`      // the tool's name at the door
	Class      string             `json:"class,omitempty"`     // what the door took it to do: read, write, send, delete, other
	Args       []WorkflowArgument `json:"args,omitempty"`      // what it is given
	ArgsCut    bool               `json:"args_cut,omitempty"`  // not all of that is known
	EventIDs   []string           `json:"event_ids"`           // evidence
	Before     *CaptureState      `json:"before,omitempty"`
	After      *CaptureState      `json:"after,omitempty"`
	Changed    bool               `json:"changed"`
	StartsAnew bool               `json:"starts_anew,omitempty"` // its field held the same each time, whatever had been entered in it before
	Effect     bool               `json:"effect,omitempty"`      // it changed something that stays: a form sent, a file made
	Grave      bool               `json:"grave,omitempty"`       // it cannot be undone or reaches other people: ask before it
	Checkpoint string             `json:"checkpoint_id,omitempty"`
}

// WorkflowArgument is one argument of a tool call; nested ones are named by their path ("filter.since", "labels.0").
type WorkflowArgument struct {
	Name  string `json:"name"`
	Form  string `json:"form,omitempty" enum:"number,truth,nothing,list,object"` // what it is in JSON where that is no text
	Value string `json:"value,omitempty"`                                        // with {inputs}; {*}: not known
}

// WorkflowParam is a value that the demonstrator supplied.
type WorkflowParam struct {
	ParamID  string    `json:"param_id"` // p1, ...
	Name     string    `json:"name"`     // from its field's label: "customer", snake_case
	Label    string    `json:"label"`
	Kind     ValueKind `json:"kind"`
	Role     string    `json:"role" enum:"input,constant,example,dropped,undecided"`
	Options  []string  `json:"options,omitempty"`
	LinkID   string    `json:"link_id,omitempty"`
	Default  string    `json:"default,omitempty"` // only text the person decided to keep
	Required bool      `json:"required"`
	UsedIn   []string  `json:"used_in"`           // step ids
	Derived  string    `json:"derived,omitempty"` // "the year and month of {date}, as YYYY-MM": computed, not asked for
	Example  string    `json:"example,omitempty"` // only text that the person chose or that was literal
	Loop     bool      `json:"loop,omitempty"`    // one for each round of a loop
	List     bool      `json:"list,omitempty"`    // several values at once, written one after the other: the files of a command
	Read     *ShownAt  `json:"read,omitempty"`    // where the page shows it, so that it need not be asked for

	Description string `json:"description,omitempty"` // the person's own words
}

// WorkflowLoop is a repeated run of steps.
type WorkflowLoop struct {
	Over   string   `json:"over"`             // in words: "each order"
	Params []string `json:"params,omitempty"` // ids of the parameters that differ from round to round
	Steps  []string `json:"steps"`
	Rounds int      `json:"rounds"` // how many were demonstrated
}

// SemanticWorkflowInterpretation is SemanticWorkflowInterpretation (DOC3 0C.9) with the additions of decisions C7.
type SemanticWorkflowInterpretation struct {
	InterpretationID         string               `json:"interpretation_id" format:"uuid"`
	LearnSessionID           string               `json:"learn_session_id" format:"uuid"`
	ProposalID               string               `json:"proposal_id,omitempty" format:"uuid"`
	Title                    string               `json:"title" maxLength:"160"`
	GoalSummary              string               `json:"goal_summary" maxLength:"600"`
	UseConditions            []string             `json:"use_conditions"`
	NonUseConditions         []string             `json:"non_use_conditions"`
	ProjectScope             string               `json:"project_scope" enum:"global,project_scoped,unclear"`
	ProjectIDs               []string             `json:"project_ids,omitempty" maxLength:"160" doc:"the projects that it is for, where a person chose them"`
	PreferredControlSurfaces []string             `json:"preferred_control_surfaces"`
	SuccessConditions        []string             `json:"success_conditions"`
	Checkpoints              []WorkflowCheckpoint `json:"checkpoints"`
	Inputs                   []InputSpec          `json:"inputs"`
	UserConfirmed            bool                 `json:"user_confirmed"`
	CreatedAt                clock.Time           `json:"created_at" format:"date-time"`
	SchemaVersion            int                  `json:"schema_version" enum:"1"`
}

// InputSpec is an input as the skill documents it.
type InputSpec struct {
	Name        string    `json:"name"`
	Label       string    `json:"label"`
	Kind        ValueKind `json:"kind"`
	Description string    `json:"description,omitempty"`
	Example     string    `json:"example,omitempty"` // invented or chosen by the person, never a masked value
	Options     []string  `json:"options,omitempty"`
	Required    bool      `json:"required"`
	Default     string    `json:"default,omitempty"`
	List        bool      `json:"list,omitempty"` // one or more
}

// WorkflowVerdict says whether the demonstration is good enough.
type WorkflowVerdict struct {
	Result string `json:"result" enum:"generalises,needs_example,cannot"`
	Reason string `json:"reason,omitempty"`
	StepID string `json:"step_id,omitempty"`
}

// WorkflowQuestion is LearningQuestion (DOC3 0C.10A) with the fields of decisions C9.
type WorkflowQuestion struct {
	QuestionID    string     `json:"question_id" format:"uuid"`
	ProposalID    string     `json:"proposal_id" format:"uuid"`
	Field         string     `json:"field" enum:"name,goal_summary,use_conditions,non_use_conditions,project_scope,preferred_surface,package_assignment,success_condition,input,constant,branch,step"`
	Prompt        string     `json:"prompt" maxLength:"400"`
	Asked         string     `json:"asked,omitempty" maxLength:"400" doc:"the same for who chooses the answer: without the words that say how to write it"`
	Required      bool       `json:"required"`
	SubjectRef    string     `json:"subject_ref,omitempty" maxLength:"160"` // param, step or checkpoint id
	Subjects      []string   `json:"subjects,omitempty" doc:"what it is about, in words"`
	Choices       []string   `json:"choices,omitempty"`
	Options       []string   `json:"options,omitempty" doc:"what the page offers: a constant is one of these"`
	Suggested     string     `json:"suggested,omitempty" maxLength:"2000"`
	CreatedAt     clock.Time `json:"created_at" format:"date-time"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// LintReport is the result of the checkpoint lint (CKP-001..009) and the bundle's own validation.
type LintReport struct {
	Passed   bool           `json:"passed"`
	Findings []SkillFinding `json:"findings"`
}

// Told is a part of a demonstration retold in a person's words, with the observations behind it. Its texts come from
// the observations: redacted, with sealed values masked.
type Told struct {
	Title    string        `json:"title" maxLength:"400" doc:"what was done: \"Filled in 3 fields and clicked the button 'Save'\""`
	Where    string        `json:"where,omitempty" maxLength:"240" doc:"\"on 'Orders'\", \"in ~/reports\""`
	Became   string        `json:"became,omitempty" maxLength:"240" doc:"what the world looked like after it, when that changed"`
	Adapters []AdapterKind `json:"adapters" doc:"what saw it"`
	Events   []string      `json:"events" doc:"ids of the observations, in order of occurrence"`
}
