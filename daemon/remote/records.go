package remote

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// How long things live (section 10.3 of the contract, and its 10.5 for machines).
const (
	accessLife  = 24 * time.Hour
	refreshLife = 30 * 24 * time.Hour
	codeLife    = 10 * time.Minute
	machineLife = time.Hour
	unusedLife  = time.Hour           // of a registration that no person has let in
	keyLife     = 30 * 24 * time.Hour // of a signing key, before the next one signs
)

// Bounds of what callers can cause.
const (
	maxClients  = 100 // registered
	maxUnused   = 20  // of them, not let in by anybody
	maxCallers  = 50  // let in at a time
	maxRecords  = 200 // of callers, those that are out included
	maxWaiting  = 10  // sign-ins that wait for a person
	maxTokens   = 40  // of one caller, used refresh tokens included
	maxForm     = 16 << 10
	maxMessage  = 4 << 20
	maxSockets  = 128
	maxRedirect = 5
)

// What one address can have of them, so that it leaves places to the others. A proxy that all callers come through can
// have all.
const (
	maxUnusedOf  = 5
	maxWaitingOf = 3
	maxSocketsOf = 32
)

// Settings is what a person decided, and the signing keys by number.
type Settings struct {
	On        bool           `json:"on"`
	URL       string         `json:"url"`
	Addresses []string       `json:"addresses"`
	CertFile  string         `json:"cert_file,omitempty"`
	KeyFile   string         `json:"key_file,omitempty"`
	Keys      []KeyRow       `json:"keys"` // newest first
	LastKey   int            `json:"last_key"`
	A2A       wire.RemoteA2A `json:"a2a"`
	Names     []string       `json:"names,omitempty"` // of callers whose records are gone: no other gets their policies
	ChangedAt clock.Time     `json:"changed_at"`
}

// KeyRow is a signing key; the key itself is in the keyring.
type KeyRow struct {
	Number    int        `json:"number"`
	CreatedAt clock.Time `json:"created_at"`
}

// Client is a program that registered itself, or a machine that a person added.
type Client struct {
	ClientID   string     `json:"client_id"`
	Name       string     `json:"name"`
	Redirects  []string   `json:"redirects"`
	AuthMethod string     `json:"auth_method"`
	SecretHash []byte     `json:"secret_hash,omitempty"`
	Machine    string     `json:"machine,omitempty"` // the caller that it is
	CreatedAt  clock.Time `json:"created_at"`
	LetIn      bool       `json:"let_in"`
	From       string     `json:"from,omitempty"` // the address that registered it, until it is let in
}

// Caller is an agent that a person let in: the grant that all of its tokens stand on.
type Caller struct {
	wire.RemoteCaller
	ClientID string `json:"client_id"`
}

// Token is an access or refresh token, by its hash.
type Token struct {
	Hash      string     `json:"-"`
	CallerID  string     `json:"caller_id"`
	Refresh   bool       `json:"refresh"`
	Scopes    []string   `json:"scopes"`
	Used      bool       `json:"used,omitempty"` // a refresh token that was exchanged
	CreatedAt clock.Time `json:"created_at"`
	ExpiresAt clock.Time `json:"expires_at"`
}

// Store stores all of it.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer
	RemoteSettings() (Settings, bool, error)
	PutRemoteSettings(Settings) error
	RemoteClient(id string) (Client, bool, error)
	RemoteClients() ([]Client, error) // oldest first
	PutRemoteClient(Client) error
	DeleteRemoteClient(id string) error
	RemoteCaller(id string) (Caller, bool, error)
	RemoteCallers() ([]Caller, error) // oldest first
	PutRemoteCaller(Caller) error
	DeleteRemoteCaller(id string) error
	RemoteToken(hash string) (Token, bool, error)
	RemoteTokens(callerID string) ([]Token, error) // oldest first
	PutRemoteToken(Token) error
	DeleteRemoteToken(hash string) error
	DeleteRemoteTokens(callerID string) error
}

// Keys keeps keys of 32 bytes by name; *keys.Ring implements it.
type Keys interface {
	Key(ctx context.Context, name string) ([]byte, error)
	Destroy(ctx context.Context, name string) error
}

// Guest is a caller with a valid token, as what it reaches knows it.
type Guest struct {
	CallerID   string
	Agent      string // its name in policies
	Writes     bool   // it may report
	Connectors bool   // it may use connected services
	Runs       bool   // it may ask to have skills run
}

// Place is where callers reach a resource, and how this computer signs for it.
type Place struct {
	URL, Authorize, Token string
	Scopes                map[string]string // with what each lets a caller do
	Need                  []string          // of these
	// Sign signs a payload by a published key: the protected header and the signature, in base64url.
	Sign func(ctx context.Context, payload []byte) (protected, signature string, err error)
}

// A2A is what speaks A2A.
type A2A struct {
	Handler func(Guest, Place) http.Handler
	Card    func(context.Context, Place) (any, error)                  // for everybody
	Refuse  func(w http.ResponseWriter, status int, code, what string) // as the protocol words it
	Waiting func() []wire.RemoteTask                                   // for a person
	Close   func()                                                     // ends all tasks
}

// Options is what a Service stands on.
type Options struct {
	Store    Store
	Keys     Keys
	MCP      func(Guest) http.Handler // the door
	Contract func(Guest) http.Handler // the wire contract
	A2A      A2A
	// Evict ends what a caller does behind this without a request: when it is shut out, or its last token has expired. Nil:
	// nothing goes on there.
	Evict func(context.Context, Guest) error
	// Forget takes back what was opened to a caller that was shut out, by its agent's name; may be nil.
	Forget  func(ctx context.Context, agent string) error
	Changed func() // something waits for a person, or does not any more; may be nil
	Now     func() clock.Time
	NewID   func() string
	Log     *slog.Logger
}
