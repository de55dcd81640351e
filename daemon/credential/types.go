package credential

import (
	"context"
	"strings"

	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/lazyre"
)

// KeychainService is the service name of credentials in the operating system's keychain.
const KeychainService = "showhow-credentials"

// Row is the database's record of a credential that was stored here.
type Row struct {
	Name      string     `json:"name"`
	Revision  int        `json:"revision"`
	StoredAt  clock.Time `json:"stored_at"`
	CreatedAt clock.Time `json:"created_at"`
}

// The states of a credential.
const (
	Stored  = "stored"
	Missing = "missing" // a skill asks for it, or it was stored once
	Unknown = "unknown" // the keychain cannot be asked
)

// Keychain stores the values. Get returns fault.NotFound for an unknown name.
type Keychain interface {
	Get(ctx context.Context, name string) (string, error)
	Set(ctx context.Context, name, value string) error
	Delete(ctx context.Context, name string) error
}

// Store stores the names.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutCredential(Row) error
	Credential(name string) (Row, bool, error)
	Credentials() ([]Row, error) // by name
	DeleteCredential(name string) error
}

var variableForm = lazyre.New(`^[A-Z_][A-Z0-9_]{0,119}$`)

// reserved are variables that influence which programs run.
var reserved = map[string]bool{"PATH": true, "HOME": true, "SHELL": true, "IFS": true, "ENV": true, "BASH_ENV": true, "NODE_OPTIONS": true,
	"PYTHONPATH": true, "PYTHONSTARTUP": true,
	"HTTP_PROXY": true, "HTTPS_PROXY": true, "ALL_PROXY": true, "NO_PROXY": true, "USER": true, "TMPDIR": true, "TERM": true}

// Variable is the environment variable in which a credential is delivered: its name in capitals, "" when it can have
// none.
func Variable(name string) string {
	v := strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
	if !variableForm.MatchString(v) || reserved[v] || strings.HasPrefix(v, "LD_") || strings.HasPrefix(v, "SHOWHOW") {
		return ""
	}
	return v
}
