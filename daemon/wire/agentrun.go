package wire

import "showhow/internal/clock"

// SandboxDependency is a package that a skill's scripts need from a registry.
type SandboxDependency struct {
	Kind     string `json:"kind" enum:"npm,pip"`
	Manifest string `json:"manifest" maxLength:"240" doc:"the skill's file that names the packages"`
	Packages int    `json:"packages" doc:"that the file names"`
	Prepared bool   `json:"prepared" doc:"they are in the cache, and a run has them read-only"`
	Problem  string `json:"problem,omitempty" maxLength:"240" doc:"why they cannot be prepared"`

	Installed []SandboxPackage `json:"installed,omitempty" doc:"what was just installed, packages of packages included"`
	Lock      string           `json:"lock,omitempty" maxLength:"64" doc:"the name of that list"`
}

// SandboxPlan is everything that a run will be given, shown before it starts. Hash covers all of it: a person confirms
// exactly this.
type SandboxPlan struct {
	Agent         string              `json:"agent" maxLength:"60"`
	SkillSlug     string              `json:"skill_slug,omitempty" maxLength:"120"`
	SkillTrust    string              `json:"skill_trust,omitempty"`
	Hosts         []string            `json:"hosts"`
	Credentials   []string            `json:"credentials" doc:"names, delivered as environment variables"`
	ReadOnly      []string            `json:"read_only"`
	Dependencies  []SandboxDependency `json:"dependencies" doc:"packages of the skill's that are prepared for the run"`
	Hash          string              `json:"hash" maxLength:"80"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// SandboxPrepareRequest asks for a skill's packages to be fetched.
type SandboxPrepareRequest struct {
	Skill      string   `json:"skill" minLength:"1" maxLength:"160" doc:"an ability's id or slug"`
	Registries []string `json:"registries" minItems:"1" maxItems:"10" maxLength:"255" doc:"hosts that may be reached, the index first: host, host:port; http://host for one without encryption"`
	Lock       string   `json:"lock,omitempty" maxLength:"64" doc:"the list of packages that the person saw and agrees to, where the skill does not pin all of them; the refusal names it"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// SandboxPrepared is the result of fetching packages.
type SandboxPrepared struct {
	SkillSlug     string              `json:"skill_slug" maxLength:"120"`
	Dependencies  []SandboxDependency `json:"dependencies"`
	HostsReached  []string            `json:"hosts_reached"`
	HostsRefused  []string            `json:"hosts_refused"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// SandboxPackage is one package that is or would be installed.
type SandboxPackage struct {
	Name     string `json:"name" maxLength:"120"`
	Version  string `json:"version" maxLength:"120"`
	SHA256   string `json:"sha256" maxLength:"64"`
	Indirect bool   `json:"indirect" doc:"another package needs it; the skill does not pin it"`
}

// SandboxState is where a run is.
type SandboxState string

// The states of a sandbox run.
const (
	SandboxRunning    SandboxState = "running"
	SandboxWaiting    SandboxState = "waiting"    // for a person's answer; everything in the box is stopped
	SandboxExtracting SandboxState = "extracting" // the agent has ended; what it made is looked at
	SandboxSucceeded  SandboxState = "succeeded"
	SandboxFailed     SandboxState = "failed"
	SandboxCancelled  SandboxState = "cancelled"
)

// Ended reports whether the run is over.
func (s SandboxState) Ended() bool {
	return s == SandboxSucceeded || s == SandboxFailed || s == SandboxCancelled
}

// SandboxRun is one run of an agent's program.
type SandboxRun struct {
	RunID          string               `json:"run_id" format:"uuid"`
	State          SandboxState         `json:"state" enum:"running,waiting,extracting,succeeded,failed,cancelled"`
	Purpose        string               `json:"purpose" enum:"task,practice" doc:"practice: an attempt of a learn session"`
	LearnSessionID string               `json:"learn_session_id,omitempty"`
	For            string               `json:"for,omitempty" maxLength:"60" doc:"a caller from elsewhere that asked for it and gets what it prints"`
	Goal           string               `json:"goal,omitempty" maxLength:"400"`
	Agent          string               `json:"agent" maxLength:"60"`
	Command        []string             `json:"command" doc:"as it was started, without secrets"`
	SkillSlug      string               `json:"skill_slug,omitempty" maxLength:"120"`
	AbilityID      string               `json:"ability_id,omitempty" maxLength:"160"`
	SkillTrust     string               `json:"skill_trust,omitempty" doc:"when the run began"`
	AllowedHosts   []string             `json:"allowed_hosts" doc:"named at the start, by the skill's permissions or by the agent's profile"`
	GrantedHosts   []string             `json:"granted_hosts" doc:"allowed by a person's answer, for this run alone"`
	Credentials    []string             `json:"credentials" doc:"names that were delivered"`
	ReadOnly       []string             `json:"read_only" doc:"paths of this machine that the run could read besides the system's"`
	Question       *SandboxQuestion     `json:"question,omitempty" doc:"what it waits for"`
	ExitCode       *int                 `json:"exit_code,omitempty"`
	ReasonCode     string               `json:"reason_code,omitempty" maxLength:"80" doc:"stable: agent_failed, timeout, output, disk, memory, cancelled, daemon_restart, unanswered, skill_refused, not_started, not_verified, policy_limit, sandbox"`
	Reason         string               `json:"reason,omitempty" maxLength:"400"`
	Retryable      bool                 `json:"retryable"`
	Attempts       int                  `json:"attempts,omitempty" doc:"2: it began again after a failure that may pass"`
	Skills         []SandboxSkillResult `json:"skills" doc:"what became of the skills it made or changed"`
	Revision       int                  `json:"revision"`
	StartedAt      clock.Time           `json:"started_at" format:"date-time"`
	EndedAt        *clock.Time          `json:"ended_at,omitempty" format:"date-time"`
	SchemaVersion  int                  `json:"schema_version" enum:"1"`
}

// SandboxQuestion is what an agent asks a person. The words are the agent's: they are shown as such and never trusted.
type SandboxQuestion struct {
	QuestionID string     `json:"question_id" format:"uuid"`
	Kind       string     `json:"kind" enum:"domain,input"`
	Host       string     `json:"host,omitempty" maxLength:"255"`
	Text       string     `json:"text,omitempty" maxLength:"1000"`
	AskedAt    clock.Time `json:"asked_at" format:"date-time"`
}

// SandboxSkillResult is the outcome for one skill.
type SandboxSkillResult struct {
	SkillSlug   string   `json:"skill_slug" maxLength:"120"`
	AbilityID   string   `json:"ability_id,omitempty" maxLength:"160"`
	Outcome     string   `json:"outcome" enum:"created,updated,unchanged,refused"`
	Trust       string   `json:"trust,omitempty"`
	ContentHash string   `json:"content_hash,omitempty" maxLength:"80"`
	Added       []string `json:"added"`
	Changed     []string `json:"changed"`
	Deleted     []string `json:"deleted"`
	Problems    []string `json:"problems" doc:"why it was refused"`

	Verdict  string        `json:"verdict,omitempty" enum:"clean,review,blocked" doc:"what the scanner says of the skill as the run left it"`
	Findings []ScanFinding `json:"findings,omitempty" doc:"the gravest 50"`
}

// SandboxEvidence is what was observed of a run: by the proxy, by the receipts of the agent's own hooks, and in the
// workspace.
type SandboxEvidence struct {
	RunID            string              `json:"run_id" format:"uuid"`
	HostsReached     []string            `json:"hosts_reached" doc:"host:port, seen by the proxy"`
	HostsRefused     []string            `json:"hosts_refused"`
	HostsGranted     []string            `json:"hosts_granted" doc:"by a person, during the run"`
	Tools            []SandboxToolUse    `json:"tools" doc:"as the agent's hooks reported; an agent without hooks reports none"`
	BashUsed         bool                `json:"bash_used" doc:"a hook reported a shell command; what a shell did besides network and files is not listed"`
	Files            []SandboxFileChange `json:"files" doc:"of the workspace, at most 500, without caches"`
	Credentials      []string            `json:"credentials" doc:"names that were delivered"`
	SavedCredentials []string            `json:"saved_credentials,omitempty" doc:"names that it obtained and handed over; values are in the keychain"`
	Questions        []SandboxAsked      `json:"questions"`
	Limits           []string            `json:"limits" doc:"how each limit was kept, in words"`
	Bounds           []SandboxBound      `json:"bounds,omitempty" doc:"the same as fields"`
	Dependencies     []SandboxDependency `json:"dependencies,omitempty" doc:"packages that it had, read-only"`
	Provenance       *SandboxProvenance  `json:"provenance,omitempty"`
	TookMS           int64               `json:"took_ms"`
	SchemaVersion    int                 `json:"schema_version" enum:"1"`
}

// SandboxBound is one limit of a run, and how it is enforced.
type SandboxBound struct {
	Of     string `json:"of" enum:"time,output,disk,memory,processes,network,system_calls"`
	Amount int64  `json:"amount,omitempty" doc:"seconds of time, bytes of output, disk and memory, and processes"`
	How    string `json:"how" enum:"ended,watched,refused,closed,named_hosts,filtered,unfiltered" doc:"ended: what passes it is ended at once; watched: looked at again and again, and ended; refused: the system lets nothing pass it"`
}

// SandboxToolUse counts the uses of a tool.
type SandboxToolUse struct {
	Tool   string `json:"tool" maxLength:"120"`
	Calls  int    `json:"calls"`
	Failed int    `json:"failed"`
}

// SandboxFileChange is one workspace file that changed during the run.
type SandboxFileChange struct {
	Path   string `json:"path" maxLength:"240"`
	Change string `json:"change" enum:"added,changed,deleted"`
	Size   int64  `json:"size"`
}

// SandboxAsked is a question and its outcome. The answer itself is not kept.
type SandboxAsked struct {
	Kind     string `json:"kind" enum:"domain,input"`
	Host     string `json:"host,omitempty"`
	Outcome  string `json:"outcome" enum:"allowed,refused,answered,unanswered"`
	WaitedMS int64  `json:"waited_ms"`
}

// SandboxProvenance is where a run fetched a skill from. Verified means that the proxy saw that host contacted in this
// run.
type SandboxProvenance struct {
	Source    string     `json:"source" maxLength:"500"`
	FetchedAt clock.Time `json:"fetched_at" format:"date-time"`
	Verified  bool       `json:"verified"`
}

// SandboxStartRequest starts a run.
type SandboxStartRequest struct {
	Command             []string      `json:"command" minItems:"1" maxItems:"200" maxLength:"32768"`
	Skill               string        `json:"skill,omitempty" maxLength:"160" doc:"an ability's id or slug"`
	Unapproved          bool          `json:"unapproved,omitempty" doc:"work with a skill that nobody approved: only the hosts named here, no credentials"`
	Domains             []string      `json:"domains,omitempty" maxItems:"50" maxLength:"255" doc:"hosts that may be reached: host, host:port, *.host"`
	Goal                string        `json:"goal,omitempty" maxLength:"400"`
	Hints               []string      `json:"hints,omitempty" maxItems:"20" maxLength:"1000"`
	Agent               string        `json:"agent,omitempty" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$" doc:"whose profile; omitted: by the program's name"`
	Credentials         []string      `json:"credentials,omitempty" maxItems:"20" maxLength:"120" doc:"of those that the approved skill declares; omitted: all of them"`
	ReadOnly            []string      `json:"read_only,omitempty" maxItems:"20" maxLength:"1000" doc:"further absolute paths that the run may read"`
	WithoutDependencies bool          `json:"without_dependencies,omitempty" doc:"begin although programs or packages that the skill declares are not there"`
	Retry               bool          `json:"retry,omitempty" doc:"begin once more, in a fresh workspace, after a failure that may pass"`
	Limits              SandboxLimits `json:"limits,omitempty"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// SandboxLimits of a run; 0 is the default.
type SandboxLimits struct {
	Seconds   int   `json:"seconds,omitempty" minimum:"0" maximum:"86400"`
	MemoryMB  int64 `json:"memory_mb,omitempty" minimum:"0" maximum:"1048576"`
	DiskMB    int64 `json:"disk_mb,omitempty" minimum:"0" maximum:"1048576"`
	OutputKB  int64 `json:"output_kb,omitempty" minimum:"0" maximum:"1048576"`
	Processes int   `json:"processes,omitempty" minimum:"0" maximum:"65536"`
}

// SandboxAnswerRequest answers a question.
type SandboxAnswerRequest struct {
	QuestionID string `json:"question_id" format:"uuid"`
	Allow      bool   `json:"allow" doc:"false: the agent is told no"`
	Text       string `json:"text,omitempty" maxLength:"4000" doc:"the input that was asked for; it is not kept"`

	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

// SandboxRunList is a page of runs, newest first.
type SandboxRunList struct {
	Runs          []SandboxRun `json:"runs"`
	Total         int          `json:"total"`
	Page          int          `json:"page"`
	PageSize      int          `json:"page_size"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// SandboxOutput is a piece of the program's output, without secrets. It is kept in memory until the next run begins.
type SandboxOutput struct {
	Text  string `json:"text"`
	Next  int64  `json:"next" doc:"where to go on"`
	Ended bool   `json:"ended" doc:"nothing more will come"`
}
