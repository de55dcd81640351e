package journal

// Events of imported skills (DOC3 0C.20). Each state change of an import is skill.import.<state>; its payload has
// import_id, from and to.
const (
	ImportUploaded      EventKind = "skill.import.uploaded"
	ImportUploadDeleted EventKind = "skill.import.upload_deleted"
	ImportUploadExpired EventKind = "skill.import.upload_expired"
)

// ImportState is the kind of the transition into a state.
func ImportState(state string) EventKind { return EventKind("skill.import." + state) }

// SkillPushed means that a person pushed a skill to a registry; payload ability_id.
const SkillPushed EventKind = "skill.pushed"
