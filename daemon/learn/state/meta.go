package state

// SystemMeta is the daemon's own call.
func SystemMeta() Meta { return Meta{Principal: PrincipalSystem, Source: SourceInferred} }

// Principals of a call.
const (
	PrincipalUser   = "user"
	PrincipalAgent  = "agent"
	PrincipalSystem = "system" // the daemon itself: time limits, lease, recovery, auto-install
)

// Meta says who calls and how; the API fills it in for every mutation.
type Meta struct {
	Principal       string
	Source          string // user_click, hotkey, system_inferred, api_call
	IfMatch         *int   // the revision the caller saw, of the resource it changes
	CorrelationID   string
	ClientRequestID string
	AgentName       string
	Mined           bool // by a person's standing order to learn what that person did again and again; never from the API
}
