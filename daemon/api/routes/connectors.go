package routes

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/connector"
	"showhow/daemon/connector/preset"
	"showhow/daemon/m365"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
)

const tagConnectors = "connectors"

// Connectors is the part of *registry.Registry that the routes need.
type Connectors interface {
	List(ctx context.Context) (wire.MCPServerListResponse, error)
	Item(ctx context.Context, id string) (wire.MCPServerListItem, error)
	Check(ctx context.Context, q wire.MCPServerCreateRequest) error
	PackageSource(ctx context.Context, q wire.MCPServerCreateRequest) (string, error)
	Register(ctx context.Context, q wire.MCPServerCreateRequest) (wire.MCPServerMutationResponse, error)
	Patch(ctx context.Context, id string, q wire.MCPServerPatchRequest, rev *int) (wire.MCPServerMutationResponse, error)
	Delete(ctx context.Context, id string) (wire.MCPServerDeleteResponse, error)
	Health(ctx context.Context, id string) (connector.Health, error)
	HealthAll(ctx context.Context) (wire.MCPHealthListResponse, error)
	AuthStatus(ctx context.Context, id string) (wire.MCPServerAuthStatus, error)
	SmokeTest(ctx context.Context, id string, q wire.MCPSmokeTestRequest) (wire.MCPSmokeTestResponse, error)
	SetPolicy(ctx context.Context, t connector.Target, w wire.MCPPolicyDecisionWish) (wire.MCPEffectivePolicy, error)
	CheckTarget(ctx context.Context, t connector.Target) error
	CheckSwitch(ctx context.Context, x connector.Switch) error
	Toggle(ctx context.Context, x connector.Switch) (wire.MCPToggleResponse, error)
	Receipts(ctx context.Context, f connector.ReceiptFilter) (wire.MCPReceiptListResponse, error)
	Profiles(ctx context.Context) (wire.MCPAuthProfileListResponse, error)
	AddProfile(ctx context.Context, q wire.MCPAuthProfileCreateRequest) (connector.Profile, error)
	PatchProfile(ctx context.Context, id string, q wire.MCPAuthProfilePatchRequest) (connector.Profile, error)
	DeleteProfile(ctx context.Context, id string) (wire.MCPAuthProfileDeleteResponse, error)
}

// AskFirst is the part of *desk.Desk that the routes need.
type AskFirst interface {
	Pending(ctx context.Context) (wire.MCPAskFirstPendingListResponse, error)
	Dispatch(ctx context.Context, id string) (wire.MCPAskFirstDispatchRecord, error)
	Decide(ctx context.Context, id string, q wire.MCPAskFirstDecisionRequest, by string) (wire.MCPAskFirstDecisionResponse, error)
	Grants(ctx context.Context) (wire.MCPGrantList, error)
	EndGrant(ctx context.Context, id string) (wire.MCPGrantEnded, error)
}

// SignIns is the part of *signin.Service that the routes need.
type SignIns interface {
	Start(ctx context.Context, id string, q wire.MCPAuthStartRequest) (wire.MCPAuthStartResponse, error)
	Callback(ctx context.Context, id string, q wire.MCPAuthCallbackQuery) (wire.MCPServerAuthStatus, error)
	Refresh(ctx context.Context, id string, force bool) (wire.MCPServerAuthStatus, error)
	Revoke(ctx context.Context, id string, q wire.MCPAuthRevokeRequest) (wire.MCPAuthRevokeResponse, error)
	Respond(ctx context.Context, q wire.MCPAuthChallengeRespondRequest) (wire.MCPAuthChallengeRespondResponse, error)
}

type serverChange struct {
	ServerPath
	engine.IfMatch
}

// ServerPath is the parameter of every route of one connector.
type ServerPath struct {
	ServerID string `path:"serverId" minLength:"1" maxLength:"120"`
}

type profilePath struct {
	AuthProfileID string `path:"authProfileId" minLength:"1" maxLength:"120"`
}

type dispatchPath struct {
	DispatchID string `path:"dispatchId" format:"uuid"`
}

type receiptQuery struct {
	ServerID string `query:"server_id" maxLength:"120"`
	Kind     string `query:"receipt_kind" maxLength:"40"`
	Agent    string `query:"agent" maxLength:"160" doc:"only this agent's calls"`
	Since    string `query:"since" format:"date-time" doc:"only what happened then or later"`
	Until    string `query:"until" format:"date-time" doc:"only what happened before"`
	Cursor   string `query:"cursor" maxLength:"240"`
	Limit    int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// ConnectorRoutes are the routes of connectors (DOC3 0.2D, R9 1.8B).
type ConnectorRoutes struct {
	Connectors Connectors
	AskFirst   AskFirst
	SignIns    SignIns
	Takeover   Takeover
	Offered    Offered
}

// Offered is the part of *offered.Service that the routes need.
type Offered interface {
	List(ctx context.Context, server string) (wire.MCPOfferedSkillList, error)
}

// Takeover is the part of *takeover.Service that the routes need.
type Takeover interface {
	List(ctx context.Context) (wire.MCPFoundList, error)
	Request(ctx context.Context, t wire.MCPTakeRequest) (mcpconfig.Server, wire.MCPServerCreateRequest, error)
	Take(ctx context.Context, found mcpconfig.Server, q wire.MCPServerCreateRequest) (wire.MCPTakeResponse, error)
}

// taking is what the confirmation of a takeover is about; its handler connects exactly this, whatever the configuration
// says meanwhile.
type taking struct {
	found   mcpconfig.Server
	request wire.MCPServerCreateRequest
}

func (rs ConnectorRoutes) takeovers(g *engine.Engine) {
	engine.Register(g, engine.Get("list-found-connectors", "/api/mcp/found", tagConnectors,
		"Services that agents' own configurations name; of secrets only the names", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.MCPFoundList], error) {
			r, err := rs.Takeover.List(ctx)
			return engine.Answered(r, err)
		})
	engine.RegisterConfirmed(g, engine.Post("take-connector", "/api/mcp/found/take", tagConnectors,
		"Connect one of them; its secrets go into the keychain", engine.UserWrites.Confirmed("connect-service"),
		append([]fault.Code{fault.NameTaken, fault.ContentHashMismatch}, connectorCodes...)...),
		func(ctx context.Context, x *taking, b *wire.MCPTakeRequest) (presence.Subject, bool, error) {
			found, q, err := rs.Takeover.Request(ctx, *b)
			if err == nil {
				err = rs.Connectors.Check(ctx, q)
			}
			if err != nil {
				return presence.Subject{}, true, err
			}
			x.found, x.request = found, q
			from, err := rs.Connectors.PackageSource(ctx, q)
			return presence.Subject{ID: "connector", ContentHash: presence.BindService(q, from)}.SayService(&q, from), true, err
		},
		func(ctx context.Context, x *taking, _ *wire.MCPTakeRequest) (*engine.Reply[wire.MCPTakeResponse], error) {
			r, err := rs.Takeover.Take(ctx, x.found, x.request)
			return engine.Answered(r, err)
		})
}

var connectorCodes = append([]fault.Code{fault.NotFound, fault.ConnectorAddress, fault.AdapterUnavailable, fault.UnsupportedInBuild,
	fault.ConnectorNameReserved}, m365Codes...)

// m365Codes are what the rules of Microsoft 365 refuse (DOC3 0.2E).
var m365Codes = []fault.Code{fault.M365ForbiddenAuthMode, fault.M365ScopeMissing, fault.M365OBOUnverified, fault.M365RedirectRequired,
	fault.M365DelegatedOnly}

// Register adds the routes. All of them are for persons; agents use the door. What connects, allows more, or lets a
// call through needs a confirmation.
func (rs ConnectorRoutes) Register(g *engine.Engine) {
	rs.servers(g)
	rs.policies(g)
	rs.askFirst(g)
	rs.profiles(g)
	rs.signIns(g)
	rs.takeovers(g)
}

func (rs ConnectorRoutes) servers(g *engine.Engine) {
	c, all, one := rs.Connectors, "/api/mcp/servers", "/api/mcp/servers/{serverId}"
	engine.Register(g, engine.Get("list-connectors", all, tagConnectors, "Every connector with health, sign-in, policy, tools and badges",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.MCPServerListResponse], error) {
			l, err := c.List(ctx)
			return engine.Answered(l, err)
		})
	register := engine.Post("register-connector", all+"/register", tagConnectors,
		"Register a connector and look at what it offers; none of its tools is called", engine.UserWrites.Confirmed("connect-service"),
		connectorCodes...)
	register.Keep = withoutOutput
	engine.RegisterConfirmed(g, register,
		func(ctx context.Context, _ *engine.None, b *wire.MCPServerCreateRequest) (presence.Subject, bool, error) {
			if err := c.Check(ctx, *b); err != nil {
				return presence.Subject{}, true, err
			}
			from, err := c.PackageSource(ctx, *b)
			return presence.Subject{ID: "connector", ContentHash: presence.BindService(*b, from)}.SayService(b, from), true, err
		},
		func(ctx context.Context, _ *engine.None, b *wire.MCPServerCreateRequest) (*engine.Reply[wire.MCPServerMutationResponse], error) {
			r, err := c.Register(ctx, *b)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Get("list-connector-presets", "/api/mcp/presets", tagConnectors,
		"Well-known services, with what it takes to connect them", engine.UserReads),
		func(context.Context, *engine.None, *engine.None) (*engine.Reply[wire.MCPPresetList], error) {
			return engine.Answered(preset.List(), nil)
		})
	engine.Register(g, engine.Get("list-m365-operations", "/api/mcp/m365/operations", tagConnectors,
		"The operations of Microsoft 365, with the scopes that each needs and what it sends", engine.UserReads),
		func(context.Context, *engine.None, *engine.None) (*engine.Reply[wire.M365OperationList], error) {
			return engine.Answered(m365.Operations(), nil)
		})
	patch := engine.Op{ID: "patch-connector", Method: http.MethodPatch, Path: one, Tag: tagConnectors, Summary: "Change a connector",
		Access: engine.Access{Principals: engine.UserWrites.Principals, Write: true, Presence: "allow-calls",
			When: "it leads elsewhere, is turned on, takes changed tools, or may ask in return"},
		Errors: connectorCodes, Revisioned: true, Prepare: nullsAreEmpty("auth_profile_id")}
	engine.RegisterConfirmed(g, patch,
		func(ctx context.Context, p *serverChange, b *wire.MCPServerPatchRequest) (presence.Subject, bool, error) {
			x, err := c.Item(ctx, p.ServerID)
			s := presence.Subject{ID: p.ServerID, Revision: x.Revision}.Say("The connector “%s”", x.Registry.DisplayName)
			if b.EndpointURL != nil {
				s = s.Say("At %s", *b.EndpointURL)
			}
			if b.AcceptTools {
				s = s.Say("With its tools as they are now")
			}
			allows := false
			for _, allow := range []struct {
				more *bool
				text string
			}{{b.AllowSampling, "It may ask the model of the agent that calls it, at the agent's cost"},
				{b.AllowElicitation, "It may ask you questions, through the agent that calls it"},
				{b.AllowRoots, "It may learn the names of the folders that the agent works in"}} {
				if allow.more != nil && *allow.more {
					s, allows = s.Say("%s", allow.text), true
				}
			}
			return s, allows || b.EndpointURL != nil || b.AcceptTools || b.AuthProfileID != nil || b.SupportedTools != nil || b.Enabled != nil &&
				*b.Enabled, err
		},
		func(ctx context.Context, p *serverChange, b *wire.MCPServerPatchRequest) (*engine.Reply[wire.MCPServerMutationResponse], error) {
			r, err := c.Patch(ctx, p.ServerID, *b, p.Seen())
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Op{ID: "delete-connector", Method: http.MethodDelete, Path: one, Tag: tagConnectors,
		Summary: "Remove a connector with what was decided about it; its auth profile stays", Access: engine.UserWrites,
		Errors: []fault.Code{fault.NotFound, fault.MCPServerDeleteBlocked}},
		func(ctx context.Context, p *ServerPath, _ *engine.None) (*engine.Reply[wire.MCPServerDeleteResponse], error) {
			r, err := c.Delete(ctx, p.ServerID)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Get("get-connector-health", one+"/health", tagConnectors, "How it fares", engine.UserReads, fault.NotFound),
		func(ctx context.Context, p *ServerPath, _ *engine.None) (*engine.Reply[wire.MCPConnectionHealth], error) {
			r, err := c.Health(ctx, p.ServerID)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Get("list-connector-health", "/api/mcp/health", tagConnectors, "How all of them fare", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.MCPHealthListResponse], error) {
			r, err := c.HealthAll(ctx)
			return engine.Answered(r, err)
		})
	test := engine.Post("test-connector", one+"/smoke-test", tagConnectors,
		"Test it step by step; it calls nothing unless a tool that reads is named", engine.UserWrites, fault.NotFound, fault.MCPServerNotActive,
		fault.ConnectorOff, fault.MCPSmokeTestFailed)
	test.Keep = withoutOutput
	engine.Register(g, test,
		func(ctx context.Context, p *ServerPath, b *wire.MCPSmokeTestRequest) (*engine.Reply[wire.MCPSmokeTestResponse], error) {
			if err := sameServer(p.ServerID, b.ServerID); err != nil {
				return nil, err
			}
			r, err := c.SmokeTest(ctx, p.ServerID, *b)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Get("list-connector-skills", one+"/skills", tagConnectors,
		"The skills that it offers; import-from-source brings one in, of kind connector", engine.UserReads, fault.NotFound, fault.ConnectorOff,
		fault.ConnectorUnreachable, fault.ConnectorThrottled),
		func(ctx context.Context, p *ServerPath, _ *engine.None) (*engine.Reply[wire.MCPOfferedSkillList], error) {
			l, err := rs.Offered.List(ctx, p.ServerID)
			return engine.Answered(l, err)
		})
	engine.Register(g, engine.Get("list-connector-receipts", "/api/mcp/receipts", tagConnectors, "What happened, newest first",
		engine.UserReads),
		func(ctx context.Context, p *receiptQuery, _ *engine.None) (*engine.Reply[wire.MCPReceiptListResponse], error) {
			f := connector.ReceiptFilter{ServerID: p.ServerID, Kind: p.Kind, Agent: p.Agent, Before: p.Cursor, Limit: p.Limit,
				Since: moment(p.Since), Until: moment(p.Until)}
			r, err := c.Receipts(ctx, f)
			return engine.Answered(r, err)
		})
}

// withoutOutput is an answer without what a program wrote to its error output, which is stored nowhere.
func withoutOutput(answer []byte) []byte {
	var all, trouble map[string]json.RawMessage
	if json.Unmarshal(answer, &all) != nil || json.Unmarshal(all["trouble"], &trouble) != nil || trouble["output"] == nil {
		return answer
	}
	delete(trouble, "output")
	var err error
	if all["trouble"], err = json.Marshal(trouble); err != nil {
		return nil
	}
	kept, err := json.Marshal(all)
	if err != nil {
		return nil
	}
	return kept
}

// moment parses a time that the schema has checked; nil when none was given.
func moment(text string) *clock.Time {
	t, err := clock.Parse(text)
	if err != nil {
		return nil
	}
	return t.Ptr()
}

// sameServer refuses a body that names another connector than the path.
func sameServer(path, body string) error {
	if path != body {
		return fault.New(fault.InvalidRequest, "path and body name different connectors").WithDetail("violations", []wire.Violation{
			{Path: "body.server_id", Rule: "same_as_path"}})
	}
	return nil
}

// nullsAreEmpty replaces null with the empty text: null removes a value.
func nullsAreEmpty(keys ...string) func(*http.Request, any) {
	return func(_ *http.Request, body any) {
		m, _ := body.(map[string]any)
		for _, k := range keys {
			if v, ok := m[k]; ok && v == nil {
				m[k] = ""
			}
		}
	}
}

func (rs ConnectorRoutes) policies(g *engine.Engine) {
	c := rs.Connectors
	widens := engine.Access{Principals: engine.UserWrites.Principals, Write: true, Presence: "allow-calls", When: "it allows more"}
	decides := widens
	decides.When = "it allows without asking, or takes a decision away"
	engine.RegisterConfirmed(g, engine.Post("set-connector-policy", "/api/mcp/policy/update", tagConnectors,
		"Decide what agents may call: for one tool, a connector, a provider, or all", decides, fault.NotFound,
		fault.ConnectorAlwaysAsks),
		func(ctx context.Context, _ *engine.None, b *wire.MCPPolicyUpdateRequest) (presence.Subject, bool, error) {
			t := b.Target
			s := presence.Subject{ID: t.TargetKind, ContentHash: presence.Bind(b.Decision.Mode, []string{t.Provider, t.ServerID, t.ToolName})}
			what := "Allowed without asking"
			if b.Decision.Mode == connector.Default {
				what = "No decision of its own any more"
			}
			s = s.Say("%s: %s %s%s %s", what, t.TargetKind, t.Provider, t.ServerID, t.ToolName)
			return s, b.Decision.Mode == connector.Enabled || b.Decision.Mode == connector.Default, c.CheckTarget(ctx, t)
		},
		func(ctx context.Context, _ *engine.None, b *wire.MCPPolicyUpdateRequest) (*engine.Reply[wire.MCPEffectivePolicy], error) {
			r, err := c.SetPolicy(ctx, b.Target, b.Decision)
			return engine.Answered(r, err)
		})
	engine.RegisterConfirmed(g, engine.Post("toggle-connectors", "/api/mcp/toggle", tagConnectors,
		"Turn off everything, a provider, or what one agent may use; nothing that is allowed goes past it", widens, fault.NotFound),
		func(ctx context.Context, _ *engine.None, b *wire.MCPToggleRequest) (presence.Subject, bool, error) {
			s := presence.Subject{ID: b.Scope, ContentHash: presence.Bind("on", []string{b.Name, b.ServerID, b.ToolName})}
			return s.Say("Turned on again: %s %s", b.Scope, b.Name), !b.Off, c.CheckSwitch(ctx, b.MCPSwitch)
		},
		func(ctx context.Context, _ *engine.None, b *wire.MCPToggleRequest) (*engine.Reply[wire.MCPToggleResponse], error) {
			r, err := c.Toggle(ctx, b.MCPSwitch)
			return engine.Answered(r, err)
		})
}

func (rs ConnectorRoutes) askFirst(g *engine.Engine) {
	a, base := rs.AskFirst, "/api/mcp/ask-first"
	engine.Register(g, engine.Get("list-pending-calls", base+"/pending", tagConnectors,
		"Calls that wait for a person, with exactly what would be sent, and those that expired", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.MCPAskFirstPendingListResponse], error) {
			r, err := a.Pending(ctx)
			return engine.Answered(r, err)
		})
	decide := func(ctx context.Context, p *dispatchPath, b *wire.MCPAskFirstDecisionRequest) (
		*engine.Reply[wire.MCPAskFirstDecisionResponse], error) {
		r, err := a.Decide(ctx, p.DispatchID, *b, string(caller.Of(ctx).Kind))
		return engine.Answered(r, err)
	}
	wrong := func(hint string) error {
		return fault.New(fault.InvalidRequest, "the decision does not fit the route").WithHint(hint).
			WithDetail("violations", []wire.Violation{{Path: "body.decision", Rule: "enum"}})
	}
	codes := []fault.Code{fault.NotFound, fault.MCPAskFirstExpired}
	engine.RegisterConfirmed(g, engine.Post("approve-call", base+"/{dispatchId}/approve", tagConnectors,
		"Let a call go: once, until the end of the turn, for the session, or for the project", engine.UserWrites.Confirmed("approve-call"),
		codes...),
		func(ctx context.Context, p *dispatchPath, b *wire.MCPAskFirstDecisionRequest) (presence.Subject, bool, error) {
			if b.Decision == "deny" {
				return presence.Subject{}, false, wrong("deny has a route of its own")
			}
			d, err := a.Dispatch(ctx, p.DispatchID)
			bound := presence.Bind(b.Decision, []string{strconv.FormatBool(b.AnyArguments)})
			s := presence.Subject{ID: p.DispatchID, ContentHash: bound}.SayCall(d)
			switch {
			case b.AnyArguments:
				s = s.Say("And with any other arguments, %s", scopeWords[b.Decision])
			case b.Decision != "approve_once":
				s = s.Say("And the same again, %s", scopeWords[b.Decision])
			}
			if b.Decision == "approve_for_project" {
				s = s.Say("Whenever the agent itself says that it works for the project %s", d.ProjectID)
			}
			return s, err == nil && d.Status == "pending", err
		}, decide)
	engine.Register(g, engine.Get("list-call-grants", base+"/grants", tagConnectors,
		"Approvals in force that cover more than one call", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.MCPGrantList], error) {
			r, err := a.Grants(ctx)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Op{ID: "end-call-grant", Method: http.MethodDelete, Path: base + "/grants/{dispatchId}", Tag: tagConnectors,
		Summary: "End an approval: the next call is asked for again", Access: engine.UserWrites, Errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *dispatchPath, _ *engine.None) (*engine.Reply[wire.MCPGrantEnded], error) {
			r, err := a.EndGrant(ctx, p.DispatchID)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Post("deny-call", base+"/{dispatchId}/deny", tagConnectors, "Refuse a call", engine.UserWrites, codes...),
		func(ctx context.Context, p *dispatchPath, b *wire.MCPAskFirstDecisionRequest) (
			*engine.Reply[wire.MCPAskFirstDecisionResponse], error) {
			if b.Decision != "deny" {
				return nil, wrong("this route takes deny alone")
			}
			return decide(ctx, p, b)
		})
}

var scopeWords = map[string]string{"approve_until_end_of_turn": "until its turn ends", "approve_for_session": "until its session ends",
	"approve_for_project": "for 90 days"}
