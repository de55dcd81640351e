package wire

import "showhow/internal/clock"

// RemoteStatus is whether callers from elsewhere are let in, where, and who they are.
type RemoteStatus struct {
	On            bool            `json:"on"`
	URL           string          `json:"url,omitempty" doc:"by which callers know this computer; the issuer of their tokens"`
	Addresses     []string        `json:"addresses" doc:"where it listens"`
	CertFile      string          `json:"cert_file,omitempty"`
	KeyFile       string          `json:"key_file,omitempty"`
	Problem       string          `json:"problem,omitempty" doc:"why it does not listen although it is on"`
	Callers       []RemoteCaller  `json:"callers"`
	Waiting       []RemoteRequest `json:"waiting" doc:"who asks to be let in, and waits for a person"`
	A2A           RemoteA2A       `json:"a2a"`
	Tasks         []RemoteTask    `json:"tasks" doc:"what callers ask to have run, and waits for a person"`
	Clients       int             `json:"clients" doc:"programs that have registered themselves; that alone lets nobody in"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// RemoteCaller is an agent elsewhere that a person let in.
type RemoteCaller struct {
	CallerID   string      `json:"caller_id" format:"uuid"`
	Name       string      `json:"name" doc:"its name in policies and in a skill's list of agents"`
	ClientName string      `json:"client_name" doc:"what it calls itself"`
	Machine    bool        `json:"machine" doc:"it signs in with a secret of its own, without a browser"`
	Scopes     []string    `json:"scopes"`
	Resource   string      `json:"resource" doc:"the one address that its tokens are for"`
	ApprovedAt clock.Time  `json:"approved_at" format:"date-time"`
	LastUsedAt *clock.Time `json:"last_used_at,omitempty" format:"date-time"`
	Calls      int64       `json:"calls" doc:"since it was let in, saved every minute"`
	RevokedAt  *clock.Time `json:"revoked_at,omitempty" format:"date-time"`
	Revision   int         `json:"revision"`
}

// RemoteRequest is a sign-in that waits for a person.
type RemoteRequest struct {
	RequestID  string     `json:"request_id" doc:"to refuse it by; its code is shown by the browser in which it was begun, and nowhere else"`
	ClientName string     `json:"client_name" doc:"what it calls itself; nobody checked it"`
	SendsTo    string     `json:"sends_to" doc:"the host to which the browser is sent with the answer"`
	Scopes     []string   `json:"scopes"`
	Resource   string     `json:"resource"`
	From       string     `json:"from" doc:"the address that asked, as far as it is known: that of a proxy tells nothing"`
	AskedAt    clock.Time `json:"asked_at" format:"date-time"`
	ExpiresAt  clock.Time `json:"expires_at" format:"date-time"`
}

// RemoteOn turns remote callers on.
type RemoteOn struct {
	Addresses []string `json:"addresses" minItems:"1" maxItems:"8" maxLength:"80" doc:"IP:PORT to listen at; no wildcard"`
	URL       string   `json:"url,omitempty" maxLength:"300" doc:"by which callers know this computer; by default the first address. https, except on loopback"`
	CertFile  string   `json:"cert_file,omitempty" maxLength:"400" doc:"certificate chain (PEM); needed for every address but loopback"`
	KeyFile   string   `json:"key_file,omitempty" maxLength:"400"`
	Post
}

// RemoteA2A is whether callers are answered in A2A, and what performs their tasks.
type RemoteA2A struct {
	On      bool     `json:"on"`
	Command []string `json:"command,omitempty" maxItems:"50" maxLength:"1000" doc:"the agent's program, which runs in the sandbox; none: skills can be looked up only"`
}

// RemoteA2ASet turns A2A on or off.
type RemoteA2ASet struct {
	RemoteA2A
	Post
}

// RemoteTask is a skill's run that a caller asks for, and that waits for a person.
type RemoteTask struct {
	TaskID    string     `json:"task_id" format:"uuid"`
	Caller    string     `json:"caller" doc:"its name in policies"`
	Skill     string     `json:"skill"`
	Title     string     `json:"title"`
	Goal      string     `json:"goal" doc:"what it says is to be done; the caller's words"`
	AskedAt   clock.Time `json:"asked_at" format:"date-time"`
	ExpiresAt clock.Time `json:"expires_at" format:"date-time"`
}

// RemoteTaskDecision is a person's answer to it.
type RemoteTaskDecision struct {
	Allow bool `json:"allow"`
	Post
}

// RemoteDecision is a person's answer to a sign-in.
type RemoteDecision struct {
	Allow  bool     `json:"allow"`
	Code   string   `json:"code,omitempty" maxLength:"9" pattern:"^([A-Z0-9]{4}-[A-Z0-9]{4})?$" doc:"the code that the browser shows, as the person typed it; needed to allow. Five wrong ones end a sign-in"`
	Name   string   `json:"name,omitempty" maxLength:"40" pattern:"^([a-z0-9][a-z0-9._-]*)?$" doc:"what to call the caller; by default what it calls itself"`
	Scopes []string `json:"scopes,omitempty" maxItems:"8" maxLength:"60" doc:"fewer scopes than were asked for; omitted: all of them"`
	Post
}

// RemoteMachineAdd lets in a program that has no person at a browser.
type RemoteMachineAdd struct {
	Name     string   `json:"name" minLength:"1" maxLength:"40" pattern:"^[a-z0-9][a-z0-9._-]*$"`
	Scopes   []string `json:"scopes" minItems:"1" maxItems:"8" maxLength:"60"`
	Resource string   `json:"resource,omitempty" enum:"mcp,contract,a2a" default:"contract" doc:"where its tokens are good"`
	Post
}

// RemoteMachine is such a program with its secret, which is shown once.
type RemoteMachine struct {
	RemoteCaller
	ClientID      string `json:"client_id"`
	ClientSecret  string `json:"client_secret"`
	TokenURL      string `json:"token_url"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// RemoteRevoked says that a caller has been shut out.
type RemoteRevoked struct {
	CallerID string `json:"caller_id"`
	Revoked  bool   `json:"revoked"`
}

// RemoteKeys are the published keys after a rotation.
type RemoteKeys struct {
	KeyIDs        []string `json:"key_ids" doc:"newest first; an older one is published until the tokens that it signed have expired"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}
