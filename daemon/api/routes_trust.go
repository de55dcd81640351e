package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

type nativePath struct {
	Name string `path:"name" minLength:"1" maxLength:"160" doc:"the folder's name, as the catalog lists it"`
}

// trustRoutes: what is trusted, with which permissions, and what is different from what was. Saying yes or no, and allowing
// more, needs a person; putting back what a person approved does not.
func (s *Server) trustRoutes() {
	a, one := s.deps.Abilities, "/api/abilities/{abilityId}"
	register(s, get("get-ability-difference", one+"/diff", tagAbilities, "How it differs from what a person approved, file by file", userReads,
		fault.AbilityNotFound),
		func(ctx context.Context, p *AbilityPath, _ *none) (*reply[ability.Difference], error) {
			return answered(a.Difference(ctx, p.AbilityID))
		})
	registerConfirmed(s, post("approve-ability", one+"/approve", tagAbilities,
		"Trust exactly the content and the permissions that were seen, after a change too",
		userWrites.confirmed("approve-ability"), abilityCodes...).rev(),
		func(ctx context.Context, p *abilityChange, b *wire.AbilityApprove) (Subject, bool, error) {
			x, err := s.abilityNow(ctx, p.AbilityID)
			return x.with(b.Permissions), true, err
		},
		func(ctx context.Context, p *abilityChange, b *wire.AbilityApprove) (*reply[ability.AvailabilityEntry], error) {
			return entry(a.Approve(ctx, p.AbilityID, ability.Approval{ContentHash: b.ContentHash, Permissions: b.Permissions}, p.seen()))
		})
	registerConfirmed(s, post("reject-ability", one+"/reject", tagAbilities, "Say no to content that nobody approved; it stays, unused",
		userWrites.confirmed("reject-ability"), abilityCodes...).rev(),
		abilitySubject[wire.AbilityReject](s),
		func(ctx context.Context, p *abilityChange, b *wire.AbilityReject) (*reply[ability.AvailabilityEntry], error) {
			return entry(a.Reject(ctx, p.AbilityID, b.Reason, p.seen()))
		})
	register(s, post("restore-ability", one+"/restore", tagAbilities, "Put the approved content back; what stands there is set aside",
		userWrites, abilityCodes...).rev(),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*reply[ability.AvailabilityEntry], error) {
			return entry(a.Restore(ctx, p.AbilityID, p.seen()))
		})
	widen := op{id: "set-ability-permissions", method: http.MethodPut, path: one + "/permissions", tag: tagAbilities,
		summary: "Change the tools, domains and credentials that it may use",
		access:  userWrites.confirmed("widen-permissions"), errors: abilityCodes}.rev()
	widen.access.When = "it allows anything that was not allowed"
	registerConfirmed(s, widen,
		func(ctx context.Context, p *abilityChange, b *wire.AbilityPermissionsUpdate) (Subject, bool, error) {
			e, err := a.AvailabilityOf(ctx, p.AbilityID)
			x := Subject{ID: e.AbilityID, Revision: e.Revision,
				ContentHash: bind(e.ContentHash, b.AbilityPermissions.Tools, b.AbilityPermissions.Domains, b.AbilityPermissions.Credentials)}
			return x.sayAbility(e).sayPermissions(&b.AbilityPermissions), ability.Wider(e.Permissions, b.AbilityPermissions), err
		},
		func(ctx context.Context, p *abilityChange, b *wire.AbilityPermissionsUpdate) (*reply[ability.AvailabilityEntry], error) {
			return entry(a.SetPermissions(ctx, p.AbilityID, b.AbilityPermissions, p.seen()))
		})
	register(s, get("export-skill", one+"/export", tagAbilities, "An approved skill as a kind of agent takes it", userReads,
		fault.AbilityNotFound, fault.TrustRequired, fault.ContentHashMismatch, fault.NotFound),
		func(ctx context.Context, p *exportParams, _ *none) (*reply[wire.SkillExport], error) {
			b, adapted, err := a.Export(ctx, p.AbilityID, p.Target)
			return answered(exported(b, p.Target, adapted), err)
		})
	register(s, post("adopt-skill", "/api/abilities/native/{name}/adopt", tagAbilities,
		"Copy a skill from an agent's folder here, for review; the original stays as it is until that is approved",
		userWrites, fault.NotFound, fault.SlugTaken, fault.BridgeRebuildFailed, fault.ContentHashMismatch),
		func(ctx context.Context, p *nativePath, b *wire.AdoptRequest) (*reply[ability.AvailabilityEntry], error) {
			return entry(a.Adopt(ctx, p.Name, b.Target))
		})
}

type exportParams struct {
	AbilityPath
	Target string `query:"target" default:"agentskills" enum:"agentskills,openclaw,claude,codex"`
}

func exported(b skill.Bundle, target string, adapted []skill.Finding) wire.SkillExport {
	out := wire.SkillExport{Name: b.Name, Target: target, ContentHash: b.Hash(), Adapted: twin.To[[]wire.SkillFinding](adapted),
		SchemaVersion: 1}
	for _, f := range b.Files {
		out.Files = append(out.Files, wire.SkillExportedFile{Path: f.Path, Executable: f.Mode&0o111 != 0, Content: f.Data})
	}
	return out
}

// bind is what a person confirms when it is a content with permissions of the request's own.
func bind(hash string, lists ...[]string) string {
	b, _ := json.Marshal([]any{hash, lists}) // strings always encode
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// with is the subject with the permissions that the request names, if it does.
func (x Subject) with(p *ability.Permissions) Subject {
	if p != nil {
		x.ContentHash = bind(x.ContentHash, p.Tools, p.Domains, p.Credentials)
	}
	return x.sayPermissions(p)
}

func (s *Server) abilityNow(ctx context.Context, id string) (Subject, error) {
	e, err := s.deps.Abilities.AvailabilityOf(ctx, id)
	return Subject{ID: e.AbilityID, Revision: e.Revision, ContentHash: e.ContentHash}.sayAbility(e), err
}

func (x Subject) sayAbility(e ability.AvailabilityEntry) Subject {
	return x.say("The skill “%s” (%s), revision %d", e.Title, e.SkillSlug, e.Revision).sayContent()
}
