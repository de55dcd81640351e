package routes

import (
	"context"
	"net/http"
	"slices"

	"showhow/daemon/ability"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

type nativePath struct {
	Name string `path:"name" minLength:"1" maxLength:"160" doc:"the folder's name, as the catalog lists it"`
}

// trustRoutes: what is trusted, with which permissions, and how it differs from what was approved. Approving,
// rejecting and allowing more needs a person's confirmation; restoring approved content does not.
func (rs AbilityRoutes) trustRoutes(g *engine.Engine) {
	a, one := rs.Abilities, "/api/abilities/{abilityId}"
	engine.Register(g, engine.Get("get-ability-difference", one+"/diff", tagAbilities,
		"How it differs from what a person approved, file by file", engine.UserReads,
		fault.AbilityNotFound),
		func(ctx context.Context, p *AbilityPath, _ *engine.None) (*engine.Reply[ability.Difference], error) {
			d, err := a.Difference(ctx, p.AbilityID)
			if err != nil {
				return engine.Answered(d, err)
			}
			names, err := rs.Credentials.Pending(ctx, d.AbilityID)
			for _, name := range names {
				d.Warnings = append(d.Warnings, "its run obtained the credential "+name+": approving it with this credential keeps it")
			}
			return engine.Answered(d, err)
		})
	engine.RegisterConfirmed(g, engine.Post("approve-ability", one+"/approve", tagAbilities,
		"Trust exactly the content and the permissions that were seen, after a change too",
		engine.UserWrites.Confirmed("approve-ability"), append(slices.Clone(abilityCodes), fault.SkillScanBlocked)...).Rev(),
		func(ctx context.Context, p *abilityChange, b *wire.AbilityApprove) (presence.Subject, bool, error) {
			x, err := rs.approving(ctx, p.AbilityID, approval(b))
			return x.With(b.Permissions), true, err
		},
		func(ctx context.Context, p *abilityChange, b *wire.AbilityApprove) (*engine.Reply[ability.AvailabilityEntry], error) {
			return rs.accepted(ctx)(a.Approve(ctx, p.AbilityID, approval(b), p.Seen()))
		})
	engine.RegisterConfirmed(g, engine.Post("reject-ability", one+"/reject", tagAbilities,
		"Say no to content that nobody approved; it stays, unused",
		engine.UserWrites.Confirmed("reject-ability"), abilityCodes...).Rev(),
		decidedSubject[wire.AbilityReject](rs),
		func(ctx context.Context, p *abilityChange, b *wire.AbilityReject) (*engine.Reply[ability.AvailabilityEntry], error) {
			e, err := a.Reject(ctx, p.AbilityID, b.Reason, p.Seen())
			if err == nil {
				err = rs.Credentials.Drop(ctx, e.AbilityID)
			}
			return entry(e, err)
		})
	engine.Register(g, engine.Post("restore-ability", one+"/restore", tagAbilities,
		"Put the approved content back; what stands there is set aside",
		engine.UserWrites, abilityCodes...).Rev(),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*engine.Reply[ability.AvailabilityEntry], error) {
			return entry(a.Restore(ctx, p.AbilityID, p.Seen()))
		})
	widen := engine.Op{ID: "set-ability-permissions", Method: http.MethodPut, Path: one + "/permissions", Tag: tagAbilities,
		Summary: "Change the tools, domains and credentials that it may use",
		Access:  engine.UserWrites.Confirmed("widen-permissions"), Errors: abilityCodes}.Rev()
	widen.Access.When = "it allows anything that was not allowed"
	engine.RegisterConfirmed(g, widen,
		func(ctx context.Context, p *abilityChange, b *wire.AbilityPermissionsUpdate) (presence.Subject, bool, error) {
			e, err := a.AvailabilityOf(ctx, p.AbilityID)
			if err == nil {
				err = ability.OwnToGrant(e.BuiltIn, e.SkillSlug, e.Permissions, b.AbilityPermissions)
			}
			x := presence.Subject{ID: e.AbilityID, Revision: e.Revision, ContentHash: e.ContentHash}.SayAbility(e)
			return x.With(&b.AbilityPermissions), ability.Wider(e.Permissions, b.AbilityPermissions), err
		},
		func(ctx context.Context, p *abilityChange, b *wire.AbilityPermissionsUpdate) (*engine.Reply[ability.AvailabilityEntry], error) {
			return rs.accepted(ctx)(a.SetPermissions(ctx, p.AbilityID, b.AbilityPermissions, p.Seen()))
		})
	engine.Register(g, engine.Get("export-skill", one+"/export", tagAbilities, "An approved skill as a kind of agent takes it",
		engine.UserReads,
		fault.AbilityNotFound, fault.TrustRequired, fault.ContentHashMismatch, fault.NotFound),
		func(ctx context.Context, p *exportParams, _ *engine.None) (*engine.Reply[wire.SkillExport], error) {
			b, adapted, err := a.Export(ctx, p.AbilityID, p.Target)
			return engine.Answered(exported(b, p.Target, adapted), err)
		})
	engine.Register(g, engine.Post("adopt-skill", "/api/abilities/native/{name}/adopt", tagAbilities,
		"Copy a skill from an agent's folder here, for review; the original stays as it is until that is approved",
		engine.UserWrites, fault.NotFound, fault.SlugTaken, fault.BridgeRebuildFailed, fault.ContentHashMismatch),
		func(ctx context.Context, p *nativePath, b *wire.AdoptRequest) (*engine.Reply[ability.AvailabilityEntry], error) {
			return entry(a.Adopt(ctx, p.Name, b.Target))
		})
}

// accepted saves the credentials that a run obtained, once the ability is approved with them.
func (rs AbilityRoutes) accepted(ctx context.Context) func(ability.AvailabilityEntry, error) (abilityReply, error) {
	return func(e ability.AvailabilityEntry, err error) (abilityReply, error) {
		if err == nil && e.Trust == ability.TrustApproved {
			err = rs.Credentials.Accept(ctx, e.AbilityID, e.Permissions.Credentials)
		}
		return entry(e, err)
	}
}

type abilityReply = *engine.Reply[ability.AvailabilityEntry]

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

func (rs AbilityRoutes) abilityNow(ctx context.Context, id string) (presence.Subject, error) {
	e, err := rs.Abilities.AvailabilityOf(ctx, id)
	return presence.Subject{ID: e.AbilityID, Revision: e.Revision, ContentHash: e.ContentHash}.SayAbility(e), err
}

// decided is an ability that a person may decide on; it refuses one that comes with Showhow before anybody is asked.
func (rs AbilityRoutes) decided(ctx context.Context, id string) (presence.Subject, error) {
	e, err := rs.Abilities.AvailabilityOf(ctx, id)
	if err == nil {
		err = ability.OwnToDecide(e.BuiltIn, e.SkillSlug)
	}
	if err != nil {
		return presence.Subject{}, err
	}
	return rs.abilityNow(ctx, id)
}

// approving is the subject of an approval: what the approval takes, and what it does not.
func (rs AbilityRoutes) approving(ctx context.Context, id string, ap ability.Approval) (presence.Subject, error) {
	x, err := rs.decided(ctx, id)
	if err == nil {
		err = rs.Abilities.MayApprove(ctx, id, ap)
	}
	if err != nil {
		return x, err
	}
	d, err := rs.Abilities.Difference(ctx, id)
	if err == nil && d.Where != "bundle" {
		x = x.Say("Not taken: the change of the copy for %s, which is put aside", d.Where)
	}
	if n := len(d.Findings); n > 0 {
		x = x.Say("What the scan finds in it and you have not approved before: %d, the gravest: %s", n, d.Findings[0].Title)
	}
	return x, err
}

func approval(b *wire.AbilityApprove) ability.Approval {
	return ability.Approval{ContentHash: b.ContentHash, Permissions: b.Permissions, AcceptFindings: b.AcceptFindings,
		FindingsRead: b.FindingsRead}
}
