package connector

import (
	"context"
	"encoding/json"

	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// The API's records that the subpackages use.
type (
	Entry      = wire.MCPServerRegistryEntry
	Profile    = wire.MCPAuthProfile
	Health     = wire.MCPConnectionHealth
	ToolHealth = wire.MCPToolHealth
	Receipt    = wire.MCPReceiptSummary
	CallRecord = wire.MCPCallReceipt
	Target     = wire.MCPPolicyTarget
	Decision   = wire.MCPPolicyDecision
	Switch     = wire.MCPSwitch
	Dispatch   = wire.MCPAskFirstDispatchRecord
)

// Server is a connector as stored.
type Server struct {
	Entry         Entry              `json:"entry"`
	Tools         []Definition       `json:"tools"`          // as a person last saw them
	Seen          []Definition       `json:"seen,omitempty"` // as the server last listed them, where that differs
	Findings      []wire.ScanFinding `json:"findings,omitempty"`
	LastReceiptID string             `json:"last_receipt_id,omitempty"`
	Revision      int                `json:"revision"`
}

// ID is the server's id.
func (s *Server) ID() string { return s.Entry.ServerID }

// Definition is one tool as its server describes it.
type Definition struct {
	Name    string          `json:"name"`
	Tool    json.RawMessage `json:"tool"` // the whole definition
	Hash    string          `json:"hash"`
	Class   Class           `json:"class"`
	Why     string          `json:"why"`
	Refused string          `json:"refused,omitempty"` // why no agent sees it, whatever the policy
	Data    []string        `json:"-"`                 // data classes; only of a tool of Showhow's own
}

// Told is the part of a definition that people and models read.
type Told struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations struct {
		ReadOnlyHint bool `json:"readOnlyHint"`
	} `json:"annotations"`
}

// Told parses that part of the definition.
func (d *Definition) Told() (t Told) {
	_ = json.Unmarshal(d.Tool, &t) // it was valid when it was stored
	return t
}

// PolicyRow is a policy as stored.
type PolicyRow struct {
	Target   Target   `json:"target"`
	Decision Decision `json:"decision"`
}

// Kind is a kind of record in the store.
type Kind string

// The kinds. What is stored with a dispatch belongs to package desk.
const (
	KindServer    Kind = "server"
	KindProfile   Kind = "profile"
	KindPolicy    Kind = "policy"
	KindSwitch    Kind = "switch"
	KindHealth    Kind = "health"
	KindDispatch  Kind = "dispatch"
	KindGrant     Kind = "grant"
	KindSignIn    Kind = "signin"
	KindChallenge Kind = "challenge"
	KindConfig    Kind = "agent_config" // entries in an agent's own MCP configuration
)

// Canonical files (R9 1.1R, decisions H11).
const (
	RegistryPath = "system/mcp/registry_current.json"
	PolicyPath   = "system/mcp/provider_policy_current.json"
	HealthPath   = "system/mcp/health_current.json"
	ReceiptsPath = "system/mcp/receipts.jsonl"
)

// Store stores connectors.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error

	// Intend stores the receipt of a call before it is sent: when it returns, the row survives a killed process.
	// Settle stores how the call ended; it does not wait. Both share commits with others that come at the same time.
	Intend(ctx context.Context, r Receipt) error
	Settle(r Receipt)
	// Flush waits until everything settled is stored.
	Flush(ctx context.Context) error
	// Rotate moves old receipts into the archive beside the canonical file.
	Rotate(ctx context.Context) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutRecord(kind Kind, id string, v any) error
	Record(kind Kind, id string, v any) (bool, error)
	Records(kind Kind, each func(body []byte) error) error // by id
	DeleteRecord(kind Kind, id string) error

	// AddConnectorReceipt stores a receipt and appends it to the canonical file.
	AddConnectorReceipt(Receipt) error
	ConnectorReceipts(ReceiptFilter) ([]Receipt, error) // newest first
	// Unsettled returns the receipts of calls that were sent and have no recorded end.
	Unsettled() ([]Receipt, error)
}

// ReceiptFilter selects receipts.
type ReceiptFilter struct {
	ServerID, Kind, Agent string
	Before                string // a receipt's id: ids sort by creation
	Since, Until          *clock.Time
	Limit                 int
}

// All reads every record of a kind.
func All[T any](tx Tx, kind Kind) ([]T, error) {
	out := []T{}
	err := tx.Records(kind, func(body []byte) error {
		var v T
		if err := json.Unmarshal(body, &v); err != nil {
			return err
		}
		out = append(out, v)
		return nil
	})
	return out, err
}

// One reads a record; ok is false when there is none.
func One[T any](tx Tx, kind Kind, id string) (v T, ok bool, err error) {
	ok, err = tx.Record(kind, id, &v)
	return v, ok, err
}

// NewReceipt makes a receipt.
func NewReceipt(id, kind, server, status, summary, correlation string, at clock.Time) Receipt {
	return Receipt{ReceiptID: id, ReceiptKind: kind, ServerID: server, Status: status, Summary: summary, CorrelationID: correlation,
		CreatedAt: at, SchemaVersion: 1}
}

// MayAsk reports whether a person lets a service ask anything in return while it works on a call.
func MayAsk(e Entry) bool { return e.AllowSampling || e.AllowElicitation || e.AllowRoots }
