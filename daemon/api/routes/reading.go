package routes

import (
	"context"

	"showhow/daemon/api/engine"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// readingRoutes: a skill's files for a person to read, trusted or not. An agent reads approved content elsewhere.
func (rs AbilityRoutes) readingRoutes(g *engine.Engine) {
	engine.Register(g, engine.Get("read-ability-files", "/api/abilities/{abilityId}/files", tagAbilities,
		"Its files as they stand now, and what the scanner says of them, before a decision", engine.UserReads,
		fault.AbilityNotFound, fault.NotFound),
		func(ctx context.Context, p *AbilityPath, _ *engine.None) (*engine.Reply[wire.SkillReading], error) {
			b, err := rs.Abilities.Reading(ctx, p.AbilityID)
			if err != nil {
				return nil, err
			}
			report, err := scan.Skill(ctx, b)
			return engine.Answered(wire.SkillReading{ContentHash: b.Hash(), Files: filesOf(b), Report: twin.To[wire.ScanReport](report),
				SchemaVersion: 1},
				err)
		})
}

func filesOf(b skill.Bundle) []wire.SkillExportedFile {
	out := []wire.SkillExportedFile{}
	for _, f := range b.Files {
		out = append(out, wire.SkillExportedFile{Path: f.Path, Executable: f.Mode&0o111 != 0, Content: f.Data})
	}
	return out
}
