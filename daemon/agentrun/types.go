package agentrun

import (
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
)

// State is where a run is.
type State string

const (
	Running    State = "running"
	Waiting    State = "waiting"    // for a person's answer; everything in the box stands still
	Extracting State = "extracting" // the agent has ended; what it made is looked at
	Succeeded  State = "succeeded"
	Failed     State = "failed"
	Cancelled  State = "cancelled"
)

// Ended reports whether nothing more will happen to the run.
func (s State) Ended() bool { return s == Succeeded || s == Failed || s == Cancelled }

// Run is one run of an agent's program.
type Run struct {
	RunID          string        `json:"run_id" format:"uuid"`
	State          State         `json:"state" enum:"running,waiting,extracting,succeeded,failed,cancelled"`
	Purpose        string        `json:"purpose" enum:"task,practice" doc:"practice: an attempt of a learn session"`
	LearnSessionID string        `json:"learn_session_id,omitempty"`
	Goal           string        `json:"goal,omitempty" maxLength:"400"`
	Agent          string        `json:"agent" maxLength:"60"`
	Command        []string      `json:"command" doc:"as it was started, without secrets"`
	SkillSlug      string        `json:"skill_slug,omitempty" maxLength:"120"`
	AbilityID      string        `json:"ability_id,omitempty" maxLength:"160"`
	SkillTrust     string        `json:"skill_trust,omitempty" doc:"when the run began"`
	AllowedHosts   []string      `json:"allowed_hosts" doc:"named at the start, by the skill's permissions or by the agent's profile"`
	GrantedHosts   []string      `json:"granted_hosts" doc:"allowed by a person's answer, for this run alone"`
	Credentials    []string      `json:"credentials" doc:"names that were delivered"`
	ReadOnly       []string      `json:"read_only" doc:"paths of this machine that the run could read besides the system's"`
	Question       *Question     `json:"question,omitempty" doc:"what it waits for"`
	ExitCode       *int          `json:"exit_code,omitempty"`
	ReasonCode     string        `json:"reason_code,omitempty" maxLength:"80" doc:"stable: agent_failed, timeout, output, disk, memory, cancelled, daemon_restart, unanswered, skill_refused, not_started, not_verified, policy_limit, sandbox"`
	Reason         string        `json:"reason,omitempty" maxLength:"400"`
	Retryable      bool          `json:"retryable"`
	Skills         []SkillResult `json:"skills" doc:"what became of the skills it made or changed"`
	Revision       int           `json:"revision"`
	StartedAt      clock.Time    `json:"started_at" format:"date-time"`
	EndedAt        *clock.Time   `json:"ended_at,omitempty" format:"date-time"`
	SchemaVersion  int           `json:"schema_version" enum:"1"`
}

// Kinds of questions.
const (
	AskDomain = "domain"
	AskInput  = "input"
)

// Question is what an agent asks a person. Its words are the agent's: they are shown as such and believed by nobody.
type Question struct {
	QuestionID string     `json:"question_id" format:"uuid"`
	Kind       string     `json:"kind" enum:"domain,input"`
	Host       string     `json:"host,omitempty" maxLength:"255"`
	Text       string     `json:"text,omitempty" maxLength:"1000"`
	AskedAt    clock.Time `json:"asked_at" format:"date-time"`
}

// SkillResult is what became of one skill.
type SkillResult struct {
	SkillSlug   string   `json:"skill_slug" maxLength:"120"`
	AbilityID   string   `json:"ability_id,omitempty" maxLength:"160"`
	Outcome     string   `json:"outcome" enum:"created,updated,unchanged,refused"`
	Trust       string   `json:"trust,omitempty"`
	ContentHash string   `json:"content_hash,omitempty" maxLength:"80"`
	Added       []string `json:"added"`
	Changed     []string `json:"changed"`
	Deleted     []string `json:"deleted"`
	Problems    []string `json:"problems" doc:"why it was refused"`

	Verdict  string         `json:"verdict,omitempty" enum:"clean,review,blocked" doc:"what the scanner says of the skill as the run left it"`
	Findings []scan.Finding `json:"findings,omitempty" doc:"the gravest 50"`
}

// Evidence is what was observed of a run: by the proxy, by the receipts of the agent's own hooks, and in the workspace.
type Evidence struct {
	RunID         string       `json:"run_id" format:"uuid"`
	HostsReached  []string     `json:"hosts_reached" doc:"host:port, seen by the proxy"`
	HostsRefused  []string     `json:"hosts_refused"`
	HostsGranted  []string     `json:"hosts_granted" doc:"by a person, during the run"`
	Tools         []ToolUse    `json:"tools" doc:"as the agent's hooks reported; an agent without hooks reports none"`
	Files         []FileChange `json:"files" doc:"of the workspace, at most 500, without caches"`
	Credentials   []string     `json:"credentials" doc:"names that were delivered"`
	Questions     []Asked      `json:"questions"`
	Limits        []string     `json:"limits" doc:"how each limit was kept"`
	Dependencies  []Dependency `json:"dependencies,omitempty" doc:"packages that it had, read-only"`
	Provenance    *Provenance  `json:"provenance,omitempty"`
	TookMS        int64        `json:"took_ms"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// ToolUse is how often a tool was used.
type ToolUse struct {
	Tool   string `json:"tool" maxLength:"120"`
	Calls  int    `json:"calls"`
	Failed int    `json:"failed"`
}

// FileChange is one file of the workspace that is not as it was at the start.
type FileChange struct {
	Path   string `json:"path" maxLength:"240"`
	Change string `json:"change" enum:"added,changed,deleted"`
	Size   int64  `json:"size"`
}

// Asked is a question with what became of it. The answer itself is not kept.
type Asked struct {
	Kind     string `json:"kind" enum:"domain,input"`
	Host     string `json:"host,omitempty"`
	Outcome  string `json:"outcome" enum:"allowed,refused,answered,unanswered"`
	WaitedMS int64  `json:"waited_ms"`
}

// Provenance is where a skill that a run fetched came from. Verified: the proxy saw that host reached in this run.
type Provenance struct {
	Source    string     `json:"source" maxLength:"500"`
	FetchedAt clock.Time `json:"fetched_at" format:"date-time"`
	Verified  bool       `json:"verified"`
}

// StartRequest starts a run.
type StartRequest struct {
	Command             []string `json:"command" minItems:"1" maxItems:"200" maxLength:"32768"`
	Skill               string   `json:"skill,omitempty" maxLength:"160" doc:"an ability's id or slug"`
	Unapproved          bool     `json:"unapproved,omitempty" doc:"work with a skill that nobody approved: only the hosts named here, no credentials"`
	Domains             []string `json:"domains,omitempty" maxItems:"50" maxLength:"255" doc:"hosts that may be reached: host, host:port, *.host"`
	Goal                string   `json:"goal,omitempty" maxLength:"400"`
	Hints               []string `json:"hints,omitempty" maxItems:"20" maxLength:"1000"`
	Agent               string   `json:"agent,omitempty" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$" doc:"whose profile; omitted: by the program's name"`
	Credentials         []string `json:"credentials,omitempty" maxItems:"20" maxLength:"120" doc:"of those that the approved skill declares; omitted: all of them"`
	ReadOnly            []string `json:"read_only,omitempty" maxItems:"20" maxLength:"1000" doc:"further absolute paths that the run may read"`
	WithoutDependencies bool     `json:"without_dependencies,omitempty" doc:"begin although programs or packages that the skill declares are not there"`
	Limits              Limits   `json:"limits,omitempty"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// Limits of a run; 0 is the default.
type Limits struct {
	Seconds   int   `json:"seconds,omitempty" minimum:"0" maximum:"86400"`
	MemoryMB  int64 `json:"memory_mb,omitempty" minimum:"0" maximum:"1048576"`
	DiskMB    int64 `json:"disk_mb,omitempty" minimum:"0" maximum:"1048576"`
	OutputKB  int64 `json:"output_kb,omitempty" minimum:"0" maximum:"1048576"`
	Processes int   `json:"processes,omitempty" minimum:"0" maximum:"65536"`
}

// AnswerRequest answers a question.
type AnswerRequest struct {
	QuestionID string `json:"question_id" format:"uuid"`
	Allow      bool   `json:"allow" doc:"false: the agent is told no"`
	Text       string `json:"text,omitempty" maxLength:"4000" doc:"the input that was asked for; it is not kept"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// List is a page of runs, newest first.
type List struct {
	Runs          []Run `json:"runs"`
	Total         int   `json:"total"`
	Page          int   `json:"page"`
	PageSize      int   `json:"page_size"`
	SchemaVersion int   `json:"schema_version" enum:"1"`
}

// Output is a piece of what the agent's program printed, without secrets. It is kept in memory until the next run begins.
type Output struct {
	Text  string `json:"text"`
	Next  int64  `json:"next" doc:"where to go on"`
	Ended bool   `json:"ended" doc:"nothing more will come"`
}
