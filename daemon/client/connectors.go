package client

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

type (
	Connector            = wire.MCPServerListItem
	Connectors           = wire.MCPServerListResponse
	ConnectorCreate      = wire.MCPServerCreateRequest
	ConnectorPatch       = wire.MCPServerPatchRequest
	ConnectorTest        = wire.MCPSmokeTestRequest
	ConnectorTarget      = wire.MCPPolicyTarget
	ConnectorSwitch      = wire.MCPSwitch
	PendingCall          = wire.MCPAskFirstDispatchRecord
	CallDecision         = wire.MCPAskFirstDecisionRequest
	LocalBridge          = wire.MCPLocalBridge
	ConnectorAuthStart   = wire.MCPAuthStartRequest
	ConnectorAuthStarted = wire.MCPAuthStartResponse
	ConnectorAuthProfile = wire.MCPAuthProfileCreateRequest
	ConnectorPreset      = wire.MCPPreset
	M365Registration     = wire.M365Registration
	M365Operation        = wire.M365Operation
)

// ConnectorService is the part of the API about connected services.
type ConnectorService struct{ t *transport }

// Connectors lists all connectors with health, sign-in, policy, tools and badges.
func (c ConnectorService) Connectors(ctx context.Context) (Connectors, error) {
	return get[Connectors](ctx, c.t, "/api/mcp/servers", nil)
}

// RegisterConnector registers a connector and lists what it offers; a person confirms.
func (c ConnectorService) RegisterConnector(ctx context.Context, q ConnectorCreate, calls ...Call) (wire.MCPServerMutationResponse, error) {
	q.SchemaVersion = 1
	return do[wire.MCPServerMutationResponse](ctx, c.t, http.MethodPost, "/api/mcp/servers/register", q, calls...)
}

// PatchConnector changes a connector.
func (c ConnectorService) PatchConnector(ctx context.Context, id string, q ConnectorPatch, calls ...Call) (wire.MCPServerMutationResponse,
	error) {
	q.SchemaVersion = 1
	return do[wire.MCPServerMutationResponse](ctx, c.t, http.MethodPatch, at("/api/mcp/servers/", id), q, calls...)
}

// RemoveConnector removes a connector; its auth profile stays.
func (c ConnectorService) RemoveConnector(ctx context.Context, id string, calls ...Call) (wire.MCPServerDeleteResponse, error) {
	return do[wire.MCPServerDeleteResponse](ctx, c.t, http.MethodDelete, at("/api/mcp/servers/", id), nil, calls...)
}

// TestConnector tests a connector step by step.
func (c ConnectorService) TestConnector(ctx context.Context, q ConnectorTest, calls ...Call) (wire.MCPSmokeTestResponse, error) {
	q.SchemaVersion = 1
	return do[wire.MCPSmokeTestResponse](ctx, c.t, http.MethodPost, at("/api/mcp/servers/", q.ServerID, "/smoke-test"), q, calls...)
}

// SetConnectorPolicy sets what agents may call.
func (c ConnectorService) SetConnectorPolicy(ctx context.Context, t ConnectorTarget, mode string, calls ...Call) (wire.MCPEffectivePolicy,
	error) {
	q := wire.MCPPolicyUpdateRequest{Target: t, Decision: wire.MCPPolicyDecisionWish{Mode: mode}, SchemaVersion: 1}
	return do[wire.MCPEffectivePolicy](ctx, c.t, http.MethodPost, "/api/mcp/policy/update", q, calls...)
}

// M365Operations lists the operations of Microsoft 365.
func (c ConnectorService) M365Operations(ctx context.Context) (wire.M365OperationList, error) {
	return get[wire.M365OperationList](ctx, c.t, "/api/mcp/m365/operations", nil)
}

// OfferedSkills lists the skills that a connector offers.
func (c ConnectorService) OfferedSkills(ctx context.Context, id string) (wire.MCPOfferedSkillList, error) {
	return get[wire.MCPOfferedSkillList](ctx, c.t, at("/api/mcp/servers/", id, "/skills"), nil)
}

// FoundConnectors lists the services that agents' own configurations name.
func (c ConnectorService) FoundConnectors(ctx context.Context) (wire.MCPFoundList, error) {
	return get[wire.MCPFoundList](ctx, c.t, "/api/mcp/found", nil)
}

// TakeConnector connects one of them; a person confirms.
func (c ConnectorService) TakeConnector(ctx context.Context, q wire.MCPTakeRequest, calls ...Call) (wire.MCPTakeResponse, error) {
	q.SchemaVersion = 1
	return do[wire.MCPTakeResponse](ctx, c.t, http.MethodPost, "/api/mcp/found/take", q, calls...)
}

// ConnectorPresets lists well-known services.
func (c ConnectorService) ConnectorPresets(ctx context.Context) (wire.MCPPresetList, error) {
	return get[wire.MCPPresetList](ctx, c.t, "/api/mcp/presets", nil)
}

// ToggleConnectors turns a switch off or on.
func (c ConnectorService) ToggleConnectors(ctx context.Context, x ConnectorSwitch, calls ...Call) (wire.MCPToggleResponse, error) {
	return do[wire.MCPToggleResponse](ctx, c.t, http.MethodPost, "/api/mcp/toggle", wire.MCPToggleRequest{MCPSwitch: x, SchemaVersion: 1},
		calls...)
}

// PendingCalls lists the calls that wait for a person.
func (c ConnectorService) PendingCalls(ctx context.Context) (wire.MCPAskFirstPendingListResponse, error) {
	return get[wire.MCPAskFirstPendingListResponse](ctx, c.t, "/api/mcp/ask-first/pending", nil)
}

// DecideCall answers a waiting call; a person confirms an approval.
func (c ConnectorService) DecideCall(ctx context.Context, id string, q CallDecision, calls ...Call) (wire.MCPAskFirstDecisionResponse,
	error) {
	q.SchemaVersion = 1
	verb := "/approve"
	if q.Decision == "deny" {
		verb = "/deny"
	}
	return do[wire.MCPAskFirstDecisionResponse](ctx, c.t, http.MethodPost, at("/api/mcp/ask-first/", id, verb), q, calls...)
}

// CallGrants lists the approvals in force that cover more than one call.
func (c ConnectorService) CallGrants(ctx context.Context) (wire.MCPGrantList, error) {
	return get[wire.MCPGrantList](ctx, c.t, "/api/mcp/ask-first/grants", nil)
}

// EndCallGrant ends an approval.
func (c ConnectorService) EndCallGrant(ctx context.Context, id string, calls ...Call) (wire.MCPGrantEnded, error) {
	return do[wire.MCPGrantEnded](ctx, c.t, http.MethodDelete, at("/api/mcp/ask-first/grants/", id), nil, calls...)
}

// ConnectorReceipts lists receipts, newest first; server "" means all.
func (c ConnectorService) ConnectorReceipts(ctx context.Context, server, cursor string, limit int) (wire.MCPReceiptListResponse, error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	if server != "" {
		q.Set("server_id", server)
	}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	return get[wire.MCPReceiptListResponse](ctx, c.t, "/api/mcp/receipts", q)
}

// AddAuthProfile makes an auth profile.
func (c ConnectorService) AddAuthProfile(ctx context.Context, q ConnectorAuthProfile, calls ...Call) (wire.MCPAuthProfile, error) {
	q.SchemaVersion = 1
	return do[wire.MCPAuthProfile](ctx, c.t, http.MethodPost, "/api/mcp/auth-profiles", q, calls...)
}

// StartConnectorAuth begins a sign-in.
func (c ConnectorService) StartConnectorAuth(ctx context.Context, q ConnectorAuthStart, calls ...Call) (ConnectorAuthStarted, error) {
	q.SchemaVersion = 1
	return do[ConnectorAuthStarted](ctx, c.t, http.MethodPost, at("/api/mcp/servers/", q.ServerID, "/auth/start"), q, calls...)
}

// ConnectorAuth is the sign-in state of a connector.
func (c ConnectorService) ConnectorAuth(ctx context.Context, id string) (wire.MCPServerAuthStatus, error) {
	return get[wire.MCPServerAuthStatus](ctx, c.t, at("/api/mcp/servers/", id, "/auth/status"), nil)
}

// RevokeConnectorAuth revokes the tokens.
func (c ConnectorService) RevokeConnectorAuth(ctx context.Context, id string, remote bool, calls ...Call) (wire.MCPAuthRevokeResponse,
	error) {
	return do[wire.MCPAuthRevokeResponse](ctx, c.t, http.MethodPost, at("/api/mcp/servers/", id, "/auth/revoke"),
		wire.MCPAuthRevokeRequest{ServerID: id, RevokeRemote: remote, SchemaVersion: 1}, calls...)
}

// lastAnswers is how long after the end of its input an agent still gets pending answers.
const lastAnswers = 2 * time.Second

// Door relays MCP between an agent and the daemon until one of them ends: in is the agent's input, out its output.
// project is the project that the agent works for; "" for none.
func (c ConnectorService) Door(ctx context.Context, project string, in io.Reader, out io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.t.base+"/mcp", nil)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the daemon's address is not valid")
	}
	for k, v := range c.t.headers {
		req.Header[k] = v
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", wire.UpgradeMCP)
	if project != "" {
		req.Header.Set(wire.ProjectHeader, project)
	}
	res, err := c.t.http.Transport.RoundTrip(req)
	if err != nil {
		return unreachable(ctx, err)
	}
	talk, ok := res.Body.(io.ReadWriteCloser)
	if res.StatusCode != http.StatusSwitchingProtocols || !ok {
		res.Body.Close()
		return fault.New(fault.VersionMismatch, fmt.Sprintf("the daemon does not open its door (%d)", res.StatusCode)).
			WithHint("showhow daemon restart")
	}
	stop := context.AfterFunc(ctx, func() { talk.Close() })
	defer stop()
	go func() {
		_, _ = io.Copy(talk, in)
		time.AfterFunc(lastAnswers, func() { talk.Close() }) // the end of the agent's input
	}()
	_, _ = io.Copy(out, bufio.NewReader(talk))
	return nil
}
