package routes

import (
	"context"
	"net/http"
	"slices"

	"showhow/capture"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Sessions creates learn sessions, controls them and accepts answers to their questions.
type Sessions interface {
	Create(ctx context.Context, m state.Meta, r wire.CreateLearnSessionRequest) (wire.CreateLearnSessionResponse, error)
	ImportRecording(ctx context.Context, m state.Meta, r wire.RecordingRequest) (wire.RecordingResponse, error)
	Start(ctx context.Context, m state.Meta, id string) (wire.StartSessionResponse, error)
	Pause(ctx context.Context, m state.Meta, id string) (state.Session, error)
	Resume(ctx context.Context, m state.Meta, id string) (state.Session, error)
	Stop(ctx context.Context, m state.Meta, id string) (wire.StopSessionResponse, error)
	Cancel(ctx context.Context, m state.Meta, id, reason string) (state.Session, error)
	PutAside(ctx context.Context, m state.Meta, id string) (wire.PutAsideResponse, error)
	Delete(ctx context.Context, m state.Meta, id string) error
	MarkGoal(ctx context.Context, m state.Meta, id string, r wire.MarkGoalRequest) (state.Session, error)
	MarkStep(ctx context.Context, m state.Meta, id string, r wire.MarkStepRequest) (state.Session, error)
	Trim(ctx context.Context, m state.Meta, id string, r wire.TrimRequest) (state.Session, error)
	SetRetain(ctx context.Context, m state.Meta, id string, retain bool) (state.Session, error)
	SetTestPolicy(ctx context.Context, m state.Meta, id string, p rehearse.TestPolicy) (state.Session, error)
	Session(ctx context.Context, id string) (state.Session, error)
	Sessions(ctx context.Context, f wire.SessionFilter) (wire.LearnSessionsListResponse, error)
	Boundaries(ctx context.Context, id string) (wire.BoundaryList, error)
	Questions(ctx context.Context, id string) ([]wire.LearningQuestion, error)
	AnswerQuestions(ctx context.Context, m state.Meta, id string, r wire.AnswerQuestionsRequest) (wire.AnswerQuestionsResponse, error)
	GenerateProposal(ctx context.Context, m state.Meta, id string) (wire.GenerateProposalResponse, error)
}

// SessionRoutes are the routes of sessions.
type SessionRoutes struct {
	Learn Sessions
}

// Register adds the routes.
func (rs SessionRoutes) Register(g *engine.Engine) {
	rs.createRoutes(g)
	l := rs.Learn
	one := "/api/learn/sessions/{sessionId}"

	engine.Register(g, engine.Get("list-sessions", "/api/learn/sessions", tagSessions, "List sessions, newest first", engine.UserReads),
		func(ctx context.Context, p *wire.SessionFilter, _ *engine.None) (*engine.Reply[wire.LearnSessionsListResponse], error) {
			r, err := l.Sessions(ctx, *p)
			return engine.Answered(r, err)
		})
	engine.Register(g, engine.Get("get-session", one+"/detail", tagSessions, "One session", engine.UserReads,
		fault.LearnSessionNotFound).Tagged(),
		func(ctx context.Context, p *SessionPath, _ *engine.None) (*engine.Reply[state.Session], error) {
			r, err := l.Session(ctx, p.SessionID)
			return session(r, err)
		})
	engine.Register(g, engine.Post("start-session", one+"/start", tagSessions, "Start capturing what the scope allows", engine.UserWrites,
		append(sessionCodes, fault.AdapterUnavailable, fault.NoScope)...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*engine.Reply[wire.StartSessionResponse], error) {
			r, err := l.Start(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return engine.Versioned(r, r.Session.Revision, err)
		})
	rs.sessionAction(g, "pause-session", "/pause", "Pause: nothing is kept until resume", l.Pause)
	rs.sessionAction(g, "resume-session", "/resume", "Resume capturing", l.Resume, fault.AdapterUnavailable)
	engine.Register(g, engine.Post("stop-session", one+"/stop", tagSessions, "End the demonstration", engine.UserWrites,
		append(sessionCodes, fault.CaptureAlreadyStopped)...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*engine.Reply[wire.StopSessionResponse], error) {
			r, err := l.Stop(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return engine.Versioned(r, r.Session.Revision, err)
		})
	engine.Register(g, engine.Post("cancel-session", one+"/cancel", tagSessions, "Give the session up", engine.UserWrites,
		sessionCodes...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			r, err := l.Cancel(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, b.Reason)
			return sessionReply(r, err)
		})
	engine.Register(g, engine.Post("put-aside-session", one+"/put-aside", tagSessions,
		"Put the draft aside for up to 30 days: the session ends, and another one may begin", engine.UserWrites,
		append(sessionCodes, fault.ValidationInProgress, fault.ProposalNotFound)...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*engine.Reply[wire.PutAsideResponse], error) {
			r, err := l.PutAside(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return engine.Versioned(r, r.Session.Revision, err)
		})
	rs.markRoutes(g)
	rs.reviewRoutes(g)
	engine.RegisterConfirmed(g, engine.Op{ID: "delete-session", Method: http.MethodDelete, Path: one, Tag: tagSessions, Revisioned: true,
		Summary: "Delete the session and everything that was observed in it, for good", Access: engine.UserWrites.Confirmed("delete-session"),
		Errors: sessionCodes},
		func(ctx context.Context, p *sessionChange, _ *engine.None) (presence.Subject, bool, error) {
			return rs.sessionSubject(ctx, p.SessionID)
		},
		func(ctx context.Context, p *sessionChange, _ *engine.None) (*engine.Reply[wire.DeletedResponse], error) {
			err := l.Delete(ctx, engine.Meta(ctx, p.IfMatch, ""), p.SessionID)
			return engine.Answered(wire.DeletedResponse{Deleted: true}, err)
		})
}

// createParams hold what the redirect of an old route knows (decisions E4).
type createParams struct {
	EntryMode string `query:"entry_mode" enum:"demonstrating_skill,coaching_agent,autonomous_agent_practice,improving_existing_skill,import_skill" doc:"the entry mode of a caller that was redirected here from an older route"`
}

// createRoutes: creating needs a confirmation only when it gives a permission in advance.
func (rs SessionRoutes) createRoutes(g *engine.Engine) {
	o := engine.Post("create-session", "/api/learn/sessions", tagSessions, "Create a session and arm it",
		engine.UserWrites.Confirmed("grant-in-advance"),
		fault.LearnSessionAlreadyActive, fault.LearnSessionNotFound, fault.AdapterUnavailable, fault.InstallLaneDenied, fault.AbilityNotFound,
		fault.InvalidLearnStateTransition, fault.UnsupportedInBuild, fault.NoScope, fault.NotFound, fault.InsufficientTraces)
	o.ETag = true
	o.Prepare = func(r *http.Request, body any) {
		if m, ok := body.(map[string]any); ok && m["entry_mode"] == nil && r.URL.Query().Get("entry_mode") != "" {
			m["entry_mode"] = r.URL.Query().Get("entry_mode")
		}
	}
	o.Access.When = "values are to be kept readable, or the skill is to install itself; subject_id is new-session"
	engine.RegisterConfirmed(g, o,
		func(_ context.Context, _ *createParams, b *wire.CreateLearnSessionRequest) (presence.Subject, bool, error) {
			grants := b.ValuePolicy == string(capture.Literal) || len(b.LiteralApps) > 0 || b.AllowPrivateInstall ||
				b.BuildPolicy == state.PrivateAutoInstall
			return presence.Subject{ID: "new-session"}.SayGrants(b), grants, nil
		},
		func(ctx context.Context, _ *createParams, b *wire.CreateLearnSessionRequest) (*engine.Reply[wire.CreateLearnSessionResponse], error) {
			r, err := rs.Learn.Create(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), *b)
			return engine.Versioned(r, r.Session.Revision, err)
		})
	recording := engine.Post("import-recording", "/api/learn/recordings", tagSessions, "Make a session of a recording made elsewhere",
		engine.UserWrites,
		fault.LearnSessionAlreadyActive, fault.LearnSessionNotFound, fault.InvalidLearnStateTransition, fault.InsufficientTraces,
		fault.UnsupportedInBuild)
	recording.ETag, recording.Body = true, 4<<20 // escapes make a recording longer on the wire
	engine.Register(g, recording, func(ctx context.Context, _ *engine.None, b *wire.RecordingRequest) (*engine.Reply[wire.RecordingResponse],
		error) {
		r, err := rs.Learn.ImportRecording(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), *b)
		return engine.Versioned(r, r.Session.Revision, err)
	})
}

func (rs SessionRoutes) markRoutes(g *engine.Engine) {
	l, one := rs.Learn, "/api/learn/sessions/{sessionId}"
	engine.Register(g, engine.Post("mark-goal", one+"/mark-goal", tagSessions, "Say what the demonstration is after", engine.UserWrites,
		sessionCodes...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.MarkGoalRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			r, err := l.MarkGoal(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return sessionReply(r, err)
		})
	engine.Register(g, engine.Post("mark-step", one+"/mark-step", tagSessions, "Name the step that comes next; a note is a step of kind other",
		engine.UserWrites,
		sessionCodes...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.MarkStepRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			r, err := l.MarkStep(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return sessionReply(r, err)
		})
	engine.Register(g, engine.Post("trim-session", one+"/trim", tagSessions,
		"Move the beginning or the end of the demonstration to an observation",
		engine.UserWrites, append(sessionCodes, fault.NotFound, fault.InsufficientTraces)...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.TrimRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			r, err := l.Trim(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return sessionReply(r, err)
		})
	engine.Register(g, engine.Get("list-boundaries", one+"/boundaries", tagSessions, "Where the demonstration begins, ends and was marked",
		engine.UserReads,
		fault.LearnSessionNotFound),
		func(ctx context.Context, p *SessionPath, _ *engine.None) (*engine.Reply[wire.BoundaryList], error) {
			return engine.Answered(l.Boundaries(ctx, p.SessionID))
		})
}

func (rs SessionRoutes) reviewRoutes(g *engine.Engine) {
	l, one := rs.Learn, "/api/learn/sessions/{sessionId}"
	engine.Register(g, engine.Get("list-questions", one+"/questions", tagSessions, "What is unclear, with the answers so far",
		engine.UserReads,
		fault.LearnSessionNotFound),
		func(ctx context.Context, p *SessionPath, _ *engine.None) (*engine.Reply[questionList], error) {
			q, err := l.Questions(ctx, p.SessionID)
			return engine.Answered(questionList{Questions: q, SchemaVersion: 1}, err)
		})
	engine.Register(g, engine.Post("answer-questions", one+"/answer-questions", tagSessions, "Answer them", engine.UserWrites,
		slices.Concat(sessionCodes, draftCodes, []fault.Code{fault.NotFound})...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.AnswerQuestionsRequest) (*engine.Reply[wire.AnswerQuestionsResponse], error) {
			r, err := l.AnswerQuestions(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return engine.Versioned(r, r.Session.Revision, err)
		})
	o := engine.Post("set-test-policy", one+"/set-test-policy", tagSessions, "Say how far a validation run may go",
		engine.UserWrites.Confirmed("widen-test-policy"),
		append(sessionCodes, fault.TestPolicyViolation)...).Rev()
	o.Access.When = "the policy lets a run write or send"
	engine.RegisterConfirmed(g, o,
		func(ctx context.Context, p *sessionChange, b *wire.SetTestPolicyRequest) (presence.Subject, bool, error) {
			if !lenient(&b.TestPolicy) {
				return presence.Subject{}, false, nil
			}
			x, needed, err := rs.sessionSubject(ctx, p.SessionID)
			return x.SayPolicy(&b.TestPolicy, ""), needed, err
		},
		func(ctx context.Context, p *sessionChange, b *wire.SetTestPolicyRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			r, err := l.SetTestPolicy(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, b.TestPolicy)
			return sessionReply(r, err)
		})
	engine.Register(g, engine.Post("generate-proposal", one+"/generate-proposal", tagSessions, "Draft a skill from the demonstration",
		engine.UserWrites,
		slices.Concat(sessionCodes, draftCodes, []fault.Code{fault.ProposalNotFound})...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*engine.Reply[wire.GenerateProposalResponse], error) {
			r, err := l.GenerateProposal(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return engine.Versioned(r, r.Session.Revision, err)
		})
	engine.Register(g, engine.Post("retain-session", one+"/retain", tagSessions,
		"Keep the raw observations beyond the usual seven days, or not", engine.UserWrites,
		sessionCodes...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.RetainRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			r, err := l.SetRetain(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, b.Retain)
			return sessionReply(r, err)
		})
}

type questionList struct {
	Questions     []wire.LearningQuestion `json:"questions"`
	SchemaVersion int                     `json:"schema_version" enum:"1"`
}

// sessionAction registers a state change with a trivial body.
func (rs SessionRoutes) sessionAction(g *engine.Engine, id, verb, summary string,
	do func(context.Context, state.Meta, string) (state.Session, error),
	extra ...fault.Code) {
	engine.Register(g, engine.Post(id, "/api/learn/sessions/{sessionId}"+verb, tagSessions, summary, engine.UserWrites,
		slices.Concat(sessionCodes, extra)...).Rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*engine.Reply[wire.SessionActionResponse], error) {
			r, err := do(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return sessionReply(r, err)
		})
}

// sessionSubject is a session in its current state, for presence.
func (rs SessionRoutes) sessionSubject(ctx context.Context, id string) (presence.Subject, bool, error) {
	x, err := rs.Learn.Session(ctx, id)
	return presence.Subject{ID: x.LearnSessionID, Revision: x.Revision, ChangedAt: x.UpdatedAt}.SaySession(x), true, err
}

func session(x state.Session, err error) (*engine.Reply[state.Session], error) {
	return engine.Versioned(x, x.Revision, err)
}
