package api

import (
	"context"

	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// readingRoutes: a skill's files for a person's eyes, whether it is trusted or not. An agent reads what is approved, elsewhere.
func (s *Server) readingRoutes() {
	register(s, get("read-ability-files", "/api/abilities/{abilityId}/files", tagAbilities,
		"Its files as they stand now, and what the scanner says of them, before a decision", userReads,
		fault.AbilityNotFound, fault.NotFound),
		func(ctx context.Context, p *AbilityPath, _ *none) (*reply[wire.SkillReading], error) {
			b, err := s.deps.Abilities.Reading(ctx, p.AbilityID)
			if err != nil {
				return nil, err
			}
			report, err := scan.Skill(ctx, b)
			return answered(wire.SkillReading{ContentHash: b.Hash(), Files: filesOf(b), Report: twin.To[wire.ScanReport](report), SchemaVersion: 1},
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
