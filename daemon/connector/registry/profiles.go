package registry

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func marshal(v map[string]any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fault.Wrap(err, fault.InvalidRequest, "the arguments cannot be written as JSON")
	}
	return b, nil
}

// Profiles lists all auth profiles, oldest first.
func (r *Registry) Profiles(ctx context.Context) (wire.MCPAuthProfileListResponse, error) {
	out := wire.MCPAuthProfileListResponse{AuthProfiles: []wire.MCPAuthProfile{}, SchemaVersion: 1}
	if err := r.ready(ctx); err != nil {
		return out, err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	out.AuthProfiles = slices.SortedFunc(maps.Values(r.profiles), func(a, b connector.Profile) int {
		return strings.Compare(a.CreatedAt.String()+a.AuthProfileID, b.CreatedAt.String()+b.AuthProfileID)
	})
	if out.AuthProfiles == nil {
		out.AuthProfiles = []wire.MCPAuthProfile{}
	}
	return out, nil
}

// Profile returns one auth profile; fault.NotFound when there is none.
func (r *Registry) Profile(ctx context.Context, id string) (connector.Profile, error) {
	if err := r.ready(ctx); err != nil {
		return connector.Profile{}, err
	}
	p, ok := r.profileOf(connector.Entry{AuthProfileID: id})
	if !ok {
		return p, fault.New(fault.NotFound, "there is no such auth profile").WithHint("`showhow connector list --json` names them")
	}
	return p, nil
}

// AddProfile makes an auth profile. That signs nobody in.
func (r *Registry) AddProfile(ctx context.Context, q wire.MCPAuthProfileCreateRequest) (connector.Profile, error) {
	if err := r.ready(ctx); err != nil {
		return connector.Profile{}, err
	}
	now := r.o.Now()
	p := connector.Profile{AuthProfileID: "auth-" + r.o.NewID(), Provider: q.Provider, AuthMode: q.AuthMode, SecretRef: q.SecretRef,
		Scopes: list(q.Scopes), TenantID: q.TenantID, ClientID: q.ClientID, RedirectURI: q.RedirectURI,
		TokenSubjectKind: orElse(q.TokenSubjectKind, "user"), RefreshPolicy: orElse(q.RefreshPolicy, "manual"), SharedProfile: q.SharedProfile,
		Status: "unknown", IncrementalConsentSupported: strings.HasPrefix(q.AuthMode, "oauth2_delegated"),
		AuthChallengeSupported: strings.HasPrefix(q.AuthMode, "oauth2"), CreatedAt: now, UpdatedAt: now, SchemaVersion: 1}
	switch {
	case p.AuthMode == "none", p.AuthMode == "api_key":
		p.Status = "healthy"
		if p.AuthMode == "api_key" && p.SecretRef == "" {
			return p, fault.New(fault.InvalidRequest, "an API key is named by its credential").WithHint(
				"`showhow credential set NAME`, then secret_ref NAME")
		}
	}
	return p, r.PutProfile(ctx, p)
}

// PutProfile stores an auth profile with the receipts of its changes.
func (r *Registry) PutProfile(ctx context.Context, p connector.Profile, receipts ...connector.Receipt) error {
	p.UpdatedAt = r.o.Now()
	err := r.o.Store.Update(ctx, func(tx connector.Tx) error {
		if err := tx.PutRecord(connector.KindProfile, p.AuthProfileID, p); err != nil {
			return err
		}
		for _, rec := range receipts {
			if err := r.note(tx, rec); err != nil {
				return err
			}
		}
		return r.putRegistry(tx)
	})
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.profiles[p.AuthProfileID] = p
	for _, id := range usersOf(r.servers, p.AuthProfileID) { // a refusal of older tokens no longer counts
		if h, ok := r.health[id]; ok && p.Status == "healthy" {
			h.AuthState = "healthy"
			r.health[id] = h
		}
	}
	r.mu.Unlock()
	r.changed()
	return nil
}

func usersOf(servers map[string]*connector.Server, profile string) (out []string) {
	for id, s := range servers {
		if s.Entry.AuthProfileID == profile {
			out = append(out, id)
		}
	}
	return out
}

// PatchProfile changes an auth profile.
func (r *Registry) PatchProfile(ctx context.Context, id string, q wire.MCPAuthProfilePatchRequest) (connector.Profile, error) {
	r.write.Lock()
	defer r.write.Unlock()
	p, err := r.Profile(ctx, id)
	if err != nil {
		return p, err
	}
	set(&p.Scopes, q.Scopes)
	set(&p.RedirectURI, q.RedirectURI)
	set(&p.RefreshPolicy, q.RefreshPolicy)
	set(&p.SharedProfile, q.SharedProfile)
	for _, id := range r.users(id) {
		s, err := r.Server(ctx, id)
		if err == nil {
			err = stillValid(s.Entry, p, true)
		}
		if err != nil {
			return p, err
		}
	}
	return p, r.PutProfile(ctx, p)
}

// DeleteProfile removes an auth profile that no connector uses. There is no way to force it.
func (r *Registry) DeleteProfile(ctx context.Context, id string) (wire.MCPAuthProfileDeleteResponse, error) {
	out := wire.MCPAuthProfileDeleteResponse{AuthProfileID: id, BlockedByServerIDs: []string{}, SchemaVersion: 1}
	r.write.Lock()
	defer r.write.Unlock()
	if _, err := r.Profile(ctx, id); err != nil {
		return out, err
	}
	if by := r.users(id); len(by) > 0 {
		return out, fault.New(fault.MCPAuthProfileInUse, "a connector uses this auth profile").WithDetail("blocked_by_server_ids", by).
			WithHint("remove the connector, or give it another auth profile")
	}
	rec := r.receipt("auth_profile_delete", "", "ok", "An auth profile was removed.")
	err := r.o.Store.Update(ctx, func(tx connector.Tx) error {
		if err := tx.DeleteRecord(connector.KindProfile, id); err != nil {
			return err
		}
		if err := r.note(tx, rec); err != nil {
			return err
		}
		return r.putRegistry(tx)
	})
	if err != nil {
		return out, err
	}
	r.mu.Lock()
	delete(r.profiles, id)
	r.mu.Unlock()
	out.Deleted, out.ReceiptID = true, rec.ReceiptID
	return out, nil
}
