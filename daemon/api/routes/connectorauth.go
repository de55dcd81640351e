package routes

import (
	"context"
	"net/http"

	"showhow/daemon/api/engine"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func (rs ConnectorRoutes) profiles(g *engine.Engine) {
	c, all, one := rs.Connectors, "/api/mcp/auth-profiles", "/api/mcp/auth-profiles/{authProfileId}"
	engine.Register(g, engine.Get("list-auth-profiles", all, tagConnectors, "Every auth profile; secrets are in none", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.MCPAuthProfileListResponse], error) {
			r, err := c.Profiles(ctx)
			return engine.Answered(r, err)
		})
	create := engine.Post("create-auth-profile", all, tagConnectors, "Make an auth profile; nobody is signed in by that", engine.UserWrites)
	create.Status = http.StatusCreated
	engine.Register(g, create,
		func(ctx context.Context, _ *engine.None, b *wire.MCPAuthProfileCreateRequest) (*engine.Reply[wire.MCPAuthProfile], error) {
			r, err := c.AddProfile(ctx, *b)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Op{ID: "patch-auth-profile", Method: http.MethodPatch, Path: one, Tag: tagConnectors,
		Summary: "Change an auth profile", Access: engine.UserWrites, Errors: append([]fault.Code{fault.NotFound}, m365Codes...),
		Prepare: nullsAreEmpty("redirect_uri")},
		func(ctx context.Context, p *profilePath, b *wire.MCPAuthProfilePatchRequest) (*engine.Reply[wire.MCPAuthProfile], error) {
			r, err := c.PatchProfile(ctx, p.AuthProfileID, *b)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Op{ID: "delete-auth-profile", Method: http.MethodDelete, Path: one, Tag: tagConnectors,
		Summary: "Remove an auth profile that no connector uses", Access: engine.UserWrites,
		Errors: []fault.Code{fault.NotFound, fault.MCPAuthProfileInUse}},
		func(ctx context.Context, p *profilePath, _ *engine.None) (*engine.Reply[wire.MCPAuthProfileDeleteResponse], error) {
			r, err := c.DeleteProfile(ctx, p.AuthProfileID)
			return engine.Answered(r, err)
		})
}

// callbackQuery is what an authorization server sends to the callback. Unknown parameters are ignored where a browser
// sends them (package signin).
type callbackQuery struct {
	ServerPath
	Code             string `query:"code" maxLength:"4000"`
	State            string `query:"state" maxLength:"512" required:"true"`
	Error            string `query:"error" maxLength:"160"`
	ErrorDescription string `query:"error_description" maxLength:"2000"`
	ErrorURI         string `query:"error_uri" maxLength:"2000"`
	SessionState     string `query:"session_state" maxLength:"512"`
	Issuer           string `query:"iss" maxLength:"2000"`
	SchemaVersion    int    `query:"schema_version" minimum:"1" maximum:"1" default:"1"`
}

func (rs ConnectorRoutes) signIns(g *engine.Engine) {
	s, one := rs.SignIns, "/api/mcp/servers/{serverId}/auth"
	engine.Register(g, engine.Get("get-connector-auth", one+"/status", tagConnectors, "How somebody is signed in to it", engine.UserReads,
		fault.NotFound),
		func(ctx context.Context, p *ServerPath, _ *engine.None) (*engine.Reply[wire.MCPServerAuthStatus], error) {
			r, err := rs.Connectors.AuthStatus(ctx, p.ServerID)
			return engine.Answered(r, err)
		})
	codes := []fault.Code{fault.NotFound, fault.ConnectorUnreachable, fault.ConnectorAddress, fault.AdapterUnavailable,
		fault.MCPAuthChallengeRequired, fault.MCPServerNotActive, fault.MCPOAuthExchangeFailed}
	engine.Register(g, engine.Post("start-connector-auth", one+"/start", tagConnectors,
		"Begin a sign-in: answers where the person's browser goes", engine.UserWrites, codes...),
		func(ctx context.Context, p *ServerPath, b *wire.MCPAuthStartRequest) (*engine.Reply[wire.MCPAuthStartResponse], error) {
			if err := sameServer(p.ServerID, b.ServerID); err != nil {
				return nil, err
			}
			r, err := s.Start(ctx, p.ServerID, *b)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Get("connector-auth-callback", one+"/callback", tagConnectors,
		"Where a sign-in comes back to; a browser is led to a port that is open only meanwhile", engine.UserReads,
		append(codes, fault.MCPOAuthStateInvalid, fault.MCPOAuthCallbackExpired)...),
		func(ctx context.Context, p *callbackQuery, _ *engine.None) (*engine.Reply[wire.MCPServerAuthStatus], error) {
			r, err := s.Callback(ctx, p.ServerID, wire.MCPAuthCallbackQuery{Code: p.Code, State: p.State, Error: p.Error, Issuer: p.Issuer})
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Post("refresh-connector-auth", one+"/refresh", tagConnectors, "Renew the tokens", engine.UserWrites,
		append(codes, fault.MCPOAuthRefreshNotOK)...),
		func(ctx context.Context, p *ServerPath, b *wire.MCPAuthRefreshRequest) (*engine.Reply[wire.MCPServerAuthStatus], error) {
			if err := sameServer(p.ServerID, b.ServerID); err != nil {
				return nil, err
			}
			r, err := s.Refresh(ctx, p.ServerID, b.Force)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Post("revoke-connector-auth", one+"/revoke", tagConnectors,
		"Give the tokens up, here and, if asked for, at the authorization server", engine.UserWrites, codes...),
		func(ctx context.Context, p *ServerPath, b *wire.MCPAuthRevokeRequest) (*engine.Reply[wire.MCPAuthRevokeResponse], error) {
			if err := sameServer(p.ServerID, b.ServerID); err != nil {
				return nil, err
			}
			r, err := s.Revoke(ctx, p.ServerID, *b)
			return engine.Answered(r, err)
		})
	respond := engine.Post("respond-auth-challenge", "/api/mcp/auth/challenge/respond", tagConnectors,
		"Answer what a service asked for: sign in, try again, or leave it", engine.UserWrites, codes...)
	respond.Prepare = func(_ *http.Request, body any) {
		if m, ok := body.(map[string]any); ok { // 0.2H calls it action
			if a, has := m["action"]; has {
				if _, both := m["decision"]; !both {
					m["decision"] = a
				}
				delete(m, "action")
			}
		}
	}
	engine.Register(g, respond,
		func(ctx context.Context, _ *engine.None, b *wire.MCPAuthChallengeRespondRequest) (
			*engine.Reply[wire.MCPAuthChallengeRespondResponse], error) {
			r, err := s.Respond(ctx, *b)
			return engine.Answered(r, err)
		})
}
