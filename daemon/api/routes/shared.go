package routes

import (
	"showhow/daemon/api/engine"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Tags of operations in several groups.
const (
	TagDaemon      = "daemon"
	TagObservation = "observation"
	tagSessions    = "learn sessions"
)

// SessionPath is the parameter of every route of one session.
type SessionPath struct {
	SessionID string `path:"sessionId" format:"uuid"`
}

// sessionChange is a change of one session.
type sessionChange struct {
	SessionPath
	engine.IfMatch
}

// Codes of operations in several groups: those that act on a session, compile a draft again, start an agent's run, or
// act on an ability.
var (
	sessionCodes = []fault.Code{fault.LearnSessionNotFound, fault.InvalidLearnStateTransition, fault.SessionTimeout, fault.DecidedOnImport}
	draftCodes   = []fault.Code{fault.ValidationInProgress, fault.CheckpointLintFailed, fault.InsufficientTraces, fault.SlugTaken,
		fault.ContentHashMismatch}
	startRunCodes = []fault.Code{fault.AgentRunActive, fault.SandboxUnavailable, fault.UnsupportedInBuild, fault.TrustRequired,
		fault.AbilityNotFound, fault.NotFound, fault.AdapterUnavailable, fault.DependenciesMissing}
	abilityCodes = []fault.Code{fault.AbilityNotFound, fault.BridgeRebuildFailed, fault.TrustRequired, fault.InvalidLearnStateTransition,
		fault.SlugTaken, fault.InstallLaneDenied,
		fault.ContentHashMismatch, fault.NotFound}
)

func sessionReply(x state.Session, err error) (*engine.Reply[wire.SessionActionResponse], error) {
	return engine.Versioned(wire.SessionActionResponse{Session: x}, x.Revision, err)
}

// lenient reports whether a run under this policy could change or send something.
func lenient(p *rehearse.TestPolicy) bool {
	if p == nil {
		return false
	}
	switch p.Mode {
	case rehearse.RedirectSend, rehearse.LiveReadSafeWrite, rehearse.ControlledLiveTest:
		return true
	}
	return !p.DestructiveForbidden() || !p.SendForbidden()
}
