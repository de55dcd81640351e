package wire

import (
	"showhow/internal/clock"
	"showhow/internal/version"
)

// ObservationAdapterStatus is an adapter's declaration and state, with what would mend it (DOC3 0C.22).
type ObservationAdapterStatus struct {
	AdapterInfo
	Enabled       bool          `json:"enabled" doc:"this build has it"`
	Healthy       bool          `json:"healthy" doc:"it observes, or could right now"`
	Available     bool          `json:"available"`
	Health        AdapterHealth `json:"health"`
	Active        bool          `json:"active" doc:"observes for a session right now"`
	Evidence      bool          `json:"evidence" doc:"sees the effects of what others do; nobody names it, it runs when the session's scope wants it"`
	LastSeenAt    *clock.Time   `json:"last_seen_at,omitempty" format:"date-time" doc:"its last sign of life while it observed, since the daemon started"`
	LastErrorCode string        `json:"last_error_code,omitempty" maxLength:"120" doc:"why it was last not ready, since the daemon started: health.code of then"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}

// Adapters lists every kind, including those that do not exist yet.
type Adapters struct {
	Adapters      []ObservationAdapterStatus `json:"adapters"`
	SchemaVersion int                        `json:"schema_version" enum:"1"`
}

// DoctorCheck is one check of the doctor.
type DoctorCheck struct {
	Name   string `json:"name"`
	State  string `json:"state" enum:"ok,warning,failed,unavailable"`
	Detail string `json:"detail,omitempty"`
	Code   string `json:"code,omitempty" maxLength:"120" doc:"an adapter's stable reason: not_in_build, browser_missing, ..."`
	Fix    string `json:"fix,omitempty" doc:"what to do about it"`
}

// Doctor reports what works here and what does not.
type Doctor struct {
	Checks        []DoctorCheck `json:"checks"`
	OK            bool          `json:"ok" doc:"nothing failed"`
	At            clock.Time    `json:"at" format:"date-time"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}

// ObservationTarget is something that could be put into a session's scope.
type ObservationTarget struct {
	Kind  string `json:"kind" enum:"app,site,shell,folder,device"`
	Value string `json:"value" doc:"as scope takes it"`
	Title string `json:"title,omitempty"`
}

// Targets is what could be observed right now.
type Targets struct {
	Targets       []ObservationTarget `json:"targets"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// DaemonStatus is the daemon at a glance.
type DaemonStatus struct {
	Version       version.Info    `json:"version"`
	PID           int             `json:"pid"`
	StartedAt     clock.Time      `json:"started_at" format:"date-time"`
	Memory        string          `json:"memory_root"`
	Warnings      []string        `json:"warnings" doc:"for example: the disk is full, capture is stopped"`
	ActiveSession string          `json:"active_session_id,omitempty" format:"uuid"`
	State         string          `json:"active_session_state,omitempty"`
	Previewing    bool            `json:"previewing,omitempty"` // a preview is running; it keeps nothing
	RunJournal    bool            `json:"run_journal" doc:"an agent's runs are kept for a day, by consent"`
	Mining        []string        `json:"mining,omitempty" doc:"sources that are looked through for routines, by consent; absent: none"`
	Mined         int             `json:"mined,omitempty" doc:"routines that wait for a decision"`
	Agents        []ObservedAgent `json:"agents" doc:"agents that report: hooks, consents, when they were last heard"`
	BrowserLogins bool            `json:"browser_open" doc:"the local port is open"`
	Places        Places          `json:"places"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// Places lists where Showhow's files are on this computer.
type Places struct {
	Data           string `json:"data" doc:"database, imports"`
	Logs           string `json:"logs"`
	BrowserProfile string `json:"browser_profile"`
	Config         string `json:"config"`
	Keys           string `json:"keys" doc:"the folder of the keys, or keychain"`
}

// StopRequest ends the daemon.
type StopRequest struct {
	Post
	Restart bool `json:"restart,omitempty"`
}

// Stopping acknowledges a StopRequest.
type Stopping struct {
	Stopping bool `json:"stopping"`
}

// BrowserOpen asks for a page in Showhow's own browser.
type BrowserOpen struct {
	Post
	URL    string `json:"url,omitempty" maxLength:"2000" doc:"http or https; omitted: an empty page"`
	Front  bool   `json:"front,omitempty" doc:"bring a page that is open on the address's site to the front; open it only where none is"`
	Attach string `json:"attach,omitempty" maxLength:"80" doc:"a loopback debugging port, such as 9222: use that running browser instead of Showhow's own"`
	Detach bool   `json:"detach,omitempty" doc:"leave an attached browser to itself; nothing is opened"`
	Close  bool   `json:"close,omitempty" doc:"end Showhow's own browser; nothing is opened"`
}

// BrowserOpened says that the browser runs.
type BrowserOpened struct {
	Product  string `json:"product" doc:"name and version of the browser"`
	Headless bool   `json:"headless" doc:"it has no window"`
	Attached bool   `json:"attached,omitempty" doc:"it is a browser that was started by somebody else"`
	Warning  string `json:"warning,omitempty" doc:"what a person should know about it"`
	DebugURL string `json:"debug_url,omitempty" doc:"only in a demo: where a second program may drive it"`
}
