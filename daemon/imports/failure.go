package imports

import (
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
)

// failures explains the codes: what failed, and what to do.
var failures = map[string]string{
	string(fault.SkillImportUploadExpired): "The upload is gone, since it was not unpacked in time. Import the skill again.",
	string(fault.SkillImportSourceFailed):  "The folder or repository could not be read. See that it is still there, then try again.",
	string(fault.ContentHashMismatch):      "The files are no longer those that were reviewed. Discard this one and import the skill again.",
	string(fault.SkillImportBlocked):       "The scan found what should not be installed. Read the findings before you decide.",
	restarted:                              "The daemon was restarted while it was at work. Nothing is half installed; try again.",
}

// failedAt names the failed stage, for codes without an explanation.
var failedAt = map[State]string{
	ScanFailed:    "The skill could not be scanned. Try again; if it fails again, discard it and import it anew.",
	StageFailed:   "The skill could not be unpacked for review. Try again; if it fails again, see that the disk has room.",
	InstallFailed: "The skill could not be installed, and what was begun is undone. Try again; showhow doctor says what may be in the way.",
}

// failure is an import's last error in words, "" when there is none.
func failure(r Record) string {
	if r.LastErrorCode == "" {
		return ""
	}
	if s := archive.Reasons()[archive.Reason(r.LastErrorCode)]; s != "" {
		do := archive.Reason(r.LastErrorCode).Advice()
		if do == "" {
			do = "ask for another archive"
		}
		return sentence(s) + " " + sentence(do+", and import that")
	}
	if s := failures[r.LastErrorCode]; s != "" {
		return s
	}
	return failedAt[r.StageState]
}

// sentence capitalises s and adds a full stop.
func sentence(s string) string { return string(s[0]-'a'+'A') + s[1:] + "." }

// restarted is the error code of work that a restart of the daemon interrupted.
const restarted = "DAEMON_RESTARTED"

func reasonOf(err error) string {
	if r := archive.ReasonOf(err); r != "" {
		return string(r)
	}
	return string(fault.CodeOf(err))
}
