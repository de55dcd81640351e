// Package wire holds the types of the API: requests, responses and the records inside them. Server (daemon/api) and
// client (daemon/client) share them, so that there is one Go type per shape.
//
// Bounds are struct tags and apply on the wire; lengths count UTF-16 units, as a browser does.
package wire

import (
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Headers of the API.
const (
	HeaderCorrelation  = "X-Correlation-ID"       // kept when valid, otherwise made; always returned
	HeaderConfirmation = "X-Showhow-Confirmation" // CONFIRMATION_ID:CODE
	HeaderPresence     = "X-Showhow-Presence"     // "demo SECRET", or "window PROOF" from a window that holds one
	HeaderSource       = "X-Showhow-Source"       // user_click, hotkey or api_call: how the person asked
	HeaderVersion      = "X-Showhow-Version"      // the answering daemon's version and API number: "v1.2.3 1"
	HeaderReplayed     = "X-Showhow-Replayed"     // "true": the remembered response of an earlier request with this id
)

// Error is the error envelope (baseline 0.10C with hint and details).
type Error struct {
	Error ErrorBody `json:"error"`
}

// ErrorBody is a failure. It repeats nothing of the request.
type ErrorBody struct {
	Code          fault.Code     `json:"code" maxLength:"80"`
	Message       string         `json:"message" maxLength:"240"`
	Retryable     bool           `json:"retryable"`
	CorrelationID string         `json:"correlation_id,omitempty" maxLength:"200"`
	Hint          string         `json:"hint,omitempty" maxLength:"400"`
	Details       map[string]any `json:"details,omitempty"`
}

// Violation is one schema bound that a request breaks; details.violations of INVALID_REQUEST lists them all.
type Violation struct {
	Path       string `json:"path"`                   // body.scope.apps[0], query.page; never a submitted key
	Rule       string `json:"rule"`                   // required, type, enum, max_length, unknown_key, ...
	Limit      any    `json:"limit,omitempty"`        // of unknown_key: the keys that there are
	DidYouMean string `json:"did_you_mean,omitempty"` // the known key that an unknown one resembles
}

// Post is embedded in the body of every POST.
type Post struct {
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120" doc:"makes a repeat of this request safe for 24 hours: it gets the first one's answer"`
}

// Nothing is the body of a POST without parameters.
type Nothing struct {
	Post
	SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
}

// ConfirmationRequest asks for a person to confirm one action on one subject as it was seen.
type ConfirmationRequest struct {
	Post
	Action      string `json:"action" maxLength:"60" doc:"the presence named in the operation's x-showhow-access"`
	SubjectID   string `json:"subject_id" maxLength:"160" pattern:"^[A-Za-z0-9._:-]+$" doc:"proposal, ability, session or agent name"`
	Revision    int    `json:"revision,omitempty" minimum:"0" doc:"the subject's revision that was seen"`
	ContentHash string `json:"content_hash,omitempty" maxLength:"120" pattern:"^[A-Za-z0-9:]+$" doc:"the content hash that was seen"`
	ClickedBy   int    `json:"clicked_by,omitempty" minimum:"0" doc:"from Showhow's tray: the process that sent the click, which is examined like a caller"`
}

// Confirmation is a request that waits for a person's confirmation.
type Confirmation struct {
	ConfirmationID string     `json:"confirmation_id" format:"uuid"`
	ExpiresAt      clock.Time `json:"expires_at" format:"date-time"`
	How            string     `json:"how" enum:"terminal_code,window,tray" doc:"terminal_code: type the code that was shown on the controlling terminal; window: Showhow's window or tray has asked the person; tray: no terminal shows a code, the person answers in the tray"`
	Question       string     `json:"question,omitempty" doc:"what the person is asked, as it stands on the terminal too"`
	About          []string   `json:"about,omitempty" doc:"all that follows from a yes, line by line, as it stands on the terminal too"`
	Tray           bool       `json:"tray,omitempty" doc:"it can be answered in the tray; get-confirmation says when it was"`
	Ticket         string     `json:"ticket,omitempty" doc:"with tray: what stands for the code once the person has confirmed it there, for this very request"`
	What           string     `json:"what,omitempty" doc:"with window: what the person is asked"`
	Code           string     `json:"code,omitempty" doc:"with window: the code, which only Showhow's own window and tray get"`
}

// PendingConfirmation waits for a person, as the tray shows it.
type PendingConfirmation struct {
	ConfirmationID string     `json:"confirmation_id" format:"uuid"`
	Action         string     `json:"action" maxLength:"60"`
	Question       string     `json:"question" doc:"what the person is asked"`
	About          []string   `json:"about" doc:"all that follows from a yes, line by line"`
	AskedIn        string     `json:"asked_in" enum:"terminal,browser,program"`
	Revision       int        `json:"revision,omitempty" doc:"of what is confirmed"`
	ContentHash    string     `json:"content_hash,omitempty"`
	ExpiresAt      clock.Time `json:"expires_at" format:"date-time"`
}

// PendingConfirmations lists what the tray can confirm, oldest first.
type PendingConfirmations struct {
	Confirmations []PendingConfirmation `json:"confirmations"`
	SchemaVersion int                   `json:"schema_version" enum:"1"`
}

// ConfirmationAnswer is a click in the tray.
type ConfirmationAnswer struct {
	Post
	Allow     bool `json:"allow"`
	ClickedBy int  `json:"clicked_by,omitempty" minimum:"0" doc:"the process that sent the click, which is examined like a caller"`
}

// ConfirmationState is the state of a confirmation.
type ConfirmationState struct {
	ConfirmationID string `json:"confirmation_id" format:"uuid"`
	State          string `json:"state" enum:"open,granted,refused"`
}

// SessionOpened is the URL at which a browser may log in, once.
type SessionOpened struct {
	URL       string     `json:"url" doc:"the fragment holds a code for one login"`
	ExpiresAt clock.Time `json:"expires_at" format:"date-time"`
	Launched  bool       `json:"launched" doc:"a browser was started on it"`
	Pages     bool       `json:"pages" doc:"this build has pages to show there"`
	Notice    string     `json:"notice,omitempty" doc:"what a person should know of it, such as that the address is a new one"`
}

// OpenRequest asks for a login URL.
type OpenRequest struct {
	Post
	Launch bool `json:"launch,omitempty" doc:"also start the default browser"`

	Display    string `json:"display,omitempty" maxLength:"60" pattern:"^(localhost)?:[0-9]{1,5}(\\.[0-9]{1,3})?$" doc:"the X11 display where the overlay can be shown when the page begins to watch"`
	XAuthority string `json:"xauthority,omitempty" maxLength:"4096" doc:"the file that lets a program use that display"`
}

// ExchangeRequest trades the code for a bearer.
type ExchangeRequest struct {
	Code string `json:"code" maxLength:"120"`
}

// Exchanged is the bearer of a browser page; it belongs in sessionStorage.
type Exchanged struct {
	Bearer    string     `json:"bearer"`
	ExpiresAt clock.Time `json:"expires_at" format:"date-time"`
}

// AgentAdd names a new agent.
type AgentAdd struct {
	Post
	Name string `json:"name" minLength:"1" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$"`
}

// AgentAdded is the only response that ever shows the token.
type AgentAdded struct {
	Agent Agent  `json:"agent"`
	Token string `json:"token"`
}

// Agents lists the agents that have a token.
type Agents struct {
	Agents []Agent `json:"agents"`
}

// AgentRevoked confirms a revocation.
type AgentRevoked struct {
	Agent Agent `json:"agent"`
}

// Page is the query of a list.
type Page struct {
	Page     int `query:"page" default:"1" minimum:"1" maximum:"1000000"`
	PageSize int `query:"page_size" default:"20" minimum:"1" maximum:"100"`
}

// Frame is the data of one server-sent event (decisions E2).
type Frame struct {
	SessionID     string     `json:"session_id,omitempty" format:"uuid"`
	EventKind     string     `json:"event_kind" maxLength:"80" doc:"a lifecycle event, observation, snapshot, reset or error"`
	Timestamp     clock.Time `json:"timestamp" format:"date-time"`
	Payload       any        `json:"payload"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}
