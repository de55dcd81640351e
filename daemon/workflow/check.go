package workflow

import "showhow/internal/lazyre"

// Check is what a machine can verify. tests/checks.json in the bundle holds them all.
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
//	output       Name: the connector's tool; Expect: "no error"
//	element      Role, Name: something visible on the page, or, with Gone, something that no longer is
//	process      Name: a program that runs
//	input        only as a step's condition. Name: the input; Expect: its value ("yes", "no", an option)
//	manual       Expect: what only a person can tell, because nothing of it can be seen by a program
type Check struct {
	Kind     string            `json:"kind" enum:"url,heading,dialog,alert,text,element,row_count,field_value,detail,file,exit_code,output,process,input,manual"`
	Expect   string            `json:"expect,omitempty" maxLength:"240"` // with {inputs}
	Gone     bool              `json:"gone,omitempty"`                   // it must not be there
	Role     string            `json:"role,omitempty"`
	Name     string            `json:"name,omitempty"`
	Delta    int               `json:"delta,omitempty"` // row_count: change, when known
	MinBytes int64             `json:"min_bytes,omitempty"`
	Extra    map[string]string `json:"extra,omitempty"`
}

// Kept is the Extra of a manual check that a rehearsal can make after all: it looks again at what an effect claims to
// have changed.
const Kept = "kept"

// Checkpoint is a state of the world worth verifying: a sentence in a person's words and, where possible, a machine
// check.
type Checkpoint struct {
	CheckpointID     string   `json:"checkpoint_id" maxLength:"160"` // cp-01, ...
	Goal             string   `json:"goal" maxLength:"240"`
	SuccessCondition string   `json:"success_condition" maxLength:"240"`
	OrderHint        int      `json:"order_hint"`
	StepID           string   `json:"step_id,omitempty"`
	Evidence         []string `json:"evidence,omitempty"` // event ids
	Check            *Check   `json:"check,omitempty"`
	MoreChecks       []Check  `json:"more_checks,omitempty"` // hold together with Check
	Effect           bool     `json:"effect,omitempty"`      // it proves that something was changed or made, not only that a page is open
}

// Checks are all checks of a checkpoint, which hold together; none, if no machine can tell it.
func (c Checkpoint) Checks() []Check {
	if c.Check == nil {
		return nil
	}
	return append([]Check{*c.Check}, c.MoreChecks...)
}

// InputForm matches {name} in a text.
var InputForm = lazyre.New(`\{([^{}]+)\}`)
