package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"showhow/daemon/connector"
	"showhow/daemon/m365"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// ofMicrosoft completes a registration of provider m365 with what its auth profile says, and checks it by the rules of
// DOC3 0.2E. Any other registration is returned as it is.
func ofMicrosoft(r *Registry, q wire.MCPServerCreateRequest) (wire.MCPServerCreateRequest, error) {
	invalid := func(text, hint string) (wire.MCPServerCreateRequest, error) {
		return q, fault.New(fault.InvalidRequest, text).WithHint(hint)
	}
	p, known := r.profileOf(connector.Entry{AuthProfileID: q.AuthProfileID})
	native := len(q.OperationFamilies) > 0
	switch {
	case q.Provider != "m365" && native:
		return invalid("only a connector of provider m365 has these operations", "leave operation_families out")
	case q.Provider != "m365":
		return q, nil
	case known && q.AuthMode != "" && q.AuthMode != p.AuthMode:
		return invalid("the auth profile has another mode than the registration", "leave auth_mode out")
	case known && (q.TenantID != "" && q.TenantID != p.TenantID || q.ClientID != "" && q.ClientID != p.ClientID):
		return invalid("the auth profile has another tenant or client than the registration", "leave tenant_id and client_id out")
	}
	if known {
		q.AuthMode, q.TenantID, q.ClientID = p.AuthMode, p.TenantID, p.ClientID
		q.RedirectURI = cmp.Or(q.RedirectURI, p.RedirectURI)
	}
	if q.AuthMode == "" && (native || known) {
		q.AuthMode = "oauth2_delegated"
	}
	if q.AuthMode != "" {
		if err := m365.Refusal(m365.Validate(rulesOf(q), q.AuthMode, p.Scopes)); err != nil {
			return q, err
		}
	}
	if !native {
		return q, nil
	}
	q.EndpointURL = cmp.Or(q.EndpointURL, m365.GlobalEndpoint)
	if len(q.DataClasses) == 0 {
		q.DataClasses = m365.DataOf(q.OperationFamilies)
	}
	_, _, err := m365.Authority(q.EndpointURL, q.TenantID)
	switch {
	case err != nil:
		return q, err
	case r.o.M365 == nil:
		return q, fault.New(fault.UnsupportedInBuild, "Microsoft 365 is not reached from here")
	case q.Transport != "remote_http" || q.LocalBridge != nil || len(q.HeaderSecrets) > 0:
		return invalid("Microsoft 365 is reached over its own address alone", "transport remote_http, without header_secrets")
	case q.ClientID == "":
		return invalid("Microsoft wants to know the application that signs in",
			"register one there, and name its client_id; docs/m365.md says how")
	case q.AuthMode == "oauth2_client_credentials" && (q.TenantID == "" || cmp.Or(q.SecretRef, p.SecretRef) == ""):
		return invalid("an application signs in with its tenant and the name of its secret", "tenant_id and secret_ref")
	}
	return q, nil
}

func rulesOf(q wire.MCPServerCreateRequest) m365.Registration {
	return m365.Registration{Families: q.OperationFamilies, InteractionMode: orElse(q.InteractionMode, m365.Interactive),
		Scopes: q.RequestedScopes, RedirectURI: q.RedirectURI, VerifiedOBO: q.VerifiedOBOChain, AllowBackground: q.AllowBackgroundServiceOps}
}

// profileFor makes the auth profile of a connector to Microsoft 365 that names none.
func profileFor(ctx context.Context, r *Registry, q wire.MCPServerCreateRequest) (connector.Profile, error) {
	subject := "user"
	if q.AuthMode == "oauth2_client_credentials" {
		subject = "service"
	}
	p, err := r.AddProfile(ctx, wire.MCPAuthProfileCreateRequest{Provider: q.Provider, AuthMode: q.AuthMode, Scopes: q.RequestedScopes,
		TenantID: q.TenantID, ClientID: q.ClientID, RedirectURI: q.RedirectURI, SecretRef: q.SecretRef, TokenSubjectKind: subject,
		RefreshPolicy: "auto_if_refresh_token", SchemaVersion: 1})
	if err != nil || subject == "service" {
		return p, err
	}
	p.Status = "challenge_required" // the person has to sign in first
	p.IncrementalConsentSupported = q.IncrementalConsentSupported == nil || *q.IncrementalConsentSupported
	return p, r.PutProfile(ctx, p)
}

// stillValid refuses a change after which a connector to Microsoft 365 would not be registered.
func stillValid(e connector.Entry, p connector.Profile, known bool) error {
	if e.Provider != "m365" || !known && e.M365 == nil {
		return nil
	}
	q := wire.MCPServerCreateRequest{InteractionMode: e.InteractionMode}
	if e.M365 != nil {
		q.M365Registration = *e.M365
		q.RedirectURI = p.RedirectURI
		if _, _, err := m365.Authority(e.EndpointURL, p.TenantID); err != nil {
			return err
		}
	}
	mode := p.AuthMode
	if !known {
		mode = "none"
	}
	return m365.Refusal(m365.Validate(rulesOf(q), mode, p.Scopes))
}

// nativeOf is the connector's own server where it is Microsoft 365 itself; nil otherwise.
func nativeOf(r *shelf, e connector.Entry) *m365.Native {
	if e.M365 == nil || r.o.M365 == nil {
		return nil
	}
	return r.o.M365.Native(e, func() wire.MCPAuthProfile {
		p, _ := r.profileOf(e)
		return p
	})
}

// renewalOf renews refused credentials of a connector to Microsoft 365; nil for any other.
func renewalOf(r *shelf, e connector.Entry) func(ctx context.Context, refused string) error {
	if e.M365 == nil || r.o.Renew == nil {
		return nil
	}
	return func(ctx context.Context, refused string) error {
		p, _ := r.profileOf(e)
		return r.o.Renew(ctx, p, e, refused)
	}
}

// Refuses is why a call of a connector's tool would be refused before anything is sent; nil when it would not, or when
// only the service knows.
func (r *Registry) Refuses(s *connector.Server, tool string, args json.RawMessage) error {
	if n := nativeOf(r.shelf, s.Entry); n != nil {
		return n.Refuses(tool, args)
	}
	return nil
}

// classify gives the operations of Microsoft 365 their classes.
func classify(e connector.Entry, tools []connector.Definition) []connector.Definition {
	if e.M365 == nil {
		return tools
	}
	tools = slices.Clone(tools)
	for i := range tools {
		if class := m365.ClassOf(tools[i].Name); class != "" {
			tools[i].Class, tools[i].Why = connector.Class(class), "it is known what this operation of Microsoft 365 does"
		}
	}
	return tools
}
