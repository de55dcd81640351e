package report

// Events of a receipt.
const (
	EventCall   = "call"
	EventRunEnd = "run_end"
)

// Kinds of a receipt (DOC3 0C.22).
const (
	ToolCall = "mcp_receipt"
	Wrapped  = "wrapper_receipt"
)

// Outcomes of a call.
const (
	OK      = "ok"
	Failed  = "failed"
	Unknown = "unknown"
)

// Receipt is one report: a tool call of an agent, a wrapped command, or the end of an agent's run.
type Receipt struct {
	Kind       string `json:"kind" enum:"mcp_receipt,wrapper_receipt"`
	Event      string `json:"event,omitempty" enum:"call,run_end" default:"call"`
	Agent      string `json:"agent,omitempty" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$" doc:"who did it; omitted: the agent that sends it, or nobody"`
	RunID      string `json:"run_id,omitempty" maxLength:"120" doc:"the agent's own id of its run"`
	CallID     string `json:"call_id,omitempty" maxLength:"120" doc:"the agent's own id of the call; the same one twice is one call"`
	Tool       string `json:"tool,omitempty" maxLength:"120" doc:"the tool's name as the agent knows it"`
	Args       []Arg  `json:"args,omitempty" maxItems:"40"`
	Command    string `json:"command,omitempty" maxLength:"32768" doc:"the command line, when the call ran one"`
	Cwd        string `json:"cwd,omitempty" maxLength:"1000" doc:"absolute"`
	Files      []File `json:"files,omitempty" maxItems:"50" doc:"what it created, changed or removed; never what is in them"`
	Outcome    string `json:"outcome,omitempty" enum:"ok,failed,unknown" default:"unknown"`
	ExitCode   *int   `json:"exit_code,omitempty" minimum:"-1" maximum:"4294967295"`
	DurationMS int64  `json:"duration_ms,omitempty" minimum:"0" maximum:"86400000"`
}

// Arg is one argument of a call; nested ones are named by their path ("query.since").
type Arg struct {
	Name  string `json:"name" maxLength:"120"`
	Value string `json:"value" maxLength:"4000"`
}

// File is a file that a call touched.
type File struct {
	Path   string `json:"path" maxLength:"1000" doc:"absolute, or relative to cwd"`
	Change string `json:"change,omitempty" enum:"created,changed,moved,removed"`
	Size   int64  `json:"size,omitempty" minimum:"0"`
}

// Bounds that a sender keeps: longer values are cut or dropped, so that a receipt is never refused for its size.
const (
	maxArgs    = 40
	maxArg     = 4000
	maxCommand = 32768
	maxFiles   = 50
	maxPath    = 1000
	maxName    = 120
)
