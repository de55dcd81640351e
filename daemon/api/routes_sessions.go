package api

import (
	"context"
	"net/http"
	"slices"

	"showhow/capture"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagSessions = "learn sessions"

// SessionPath is the parameter of every route of one session.
type SessionPath struct {
	SessionID string `path:"sessionId" format:"uuid"`
}

// sessionChange is a change of one session.
type sessionChange struct {
	SessionPath
	IfMatch
}

// What acting on a session can answer.
var sessionCodes = []fault.Code{fault.LearnSessionNotFound, fault.InvalidLearnStateTransition, fault.SessionTimeout, fault.DecidedOnImport}

func (s *Server) sessionRoutes() {
	s.createRoutes()
	l := s.deps.Learn
	one := "/api/learn/sessions/{sessionId}"

	register(s, get("list-sessions", "/api/learn/sessions", tagSessions, "List sessions, newest first", userReads),
		func(ctx context.Context, p *wire.SessionFilter, _ *none) (*reply[wire.LearnSessionsListResponse], error) {
			r, err := l.Sessions(ctx, *p)
			return answered(r, err)
		})
	register(s, get("get-session", one+"/detail", tagSessions, "One session", userReads, fault.LearnSessionNotFound).tagged(),
		func(ctx context.Context, p *SessionPath, _ *none) (*reply[state.Session], error) {
			r, err := l.Session(ctx, p.SessionID)
			return session(r, err)
		})
	register(s, post("start-session", one+"/start", tagSessions, "Start capturing what the scope allows", userWrites,
		append(sessionCodes, fault.AdapterUnavailable, fault.NoScope)...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*reply[wire.StartSessionResponse], error) {
			r, err := l.Start(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return at(r, r.Session.Revision, err)
		})
	s.sessionAction("pause-session", "/pause", "Pause: nothing is kept until resume", l.Pause)
	s.sessionAction("resume-session", "/resume", "Resume capturing", l.Resume, fault.AdapterUnavailable)
	register(s, post("stop-session", one+"/stop", tagSessions, "End the demonstration", userWrites,
		append(sessionCodes, fault.CaptureAlreadyStopped)...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*reply[wire.StopSessionResponse], error) {
			r, err := l.Stop(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return at(r, r.Session.Revision, err)
		})
	register(s, post("cancel-session", one+"/cancel", tagSessions, "Give the session up", userWrites, sessionCodes...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*reply[wire.SessionActionResponse], error) {
			r, err := l.Cancel(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, b.Reason)
			return sessionReply(r, err)
		})
	s.markRoutes()
	s.reviewRoutes()
	registerConfirmed(s, op{id: "delete-session", method: http.MethodDelete, path: one, tag: tagSessions, revisioned: true,
		summary: "Delete the session and everything that was observed in it, for good", access: userWrites.confirmed("delete-session"),
		errors: sessionCodes},
		func(ctx context.Context, p *sessionChange, _ *none) (Subject, bool, error) {
			return s.sessionSubject(ctx, p.SessionID)
		},
		func(ctx context.Context, p *sessionChange, _ *none) (*reply[wire.DeletedResponse], error) {
			err := l.Delete(ctx, meta(ctx, p.IfMatch, ""), p.SessionID)
			return answered(wire.DeletedResponse{Deleted: true}, err)
		})
}

// createParams carry what the redirect of an old route knows (decisions E4).
type createParams struct {
	EntryMode string `query:"entry_mode" enum:"demonstrating_skill,coaching_agent,autonomous_agent_practice,improving_existing_skill,import_skill" doc:"the entry mode of a caller that was redirected here from an older route"`
}

// createRoutes: creating needs a person's word only when it gives a permission in advance.
func (s *Server) createRoutes() {
	o := post("create-session", "/api/learn/sessions", tagSessions, "Create a session and arm it", userWrites.confirmed("grant-in-advance"),
		fault.LearnSessionAlreadyActive, fault.LearnSessionNotFound, fault.AdapterUnavailable, fault.InstallLaneDenied, fault.AbilityNotFound,
		fault.InvalidLearnStateTransition, fault.UnsupportedInBuild, fault.NoScope, fault.NotFound, fault.InsufficientTraces)
	o.etag = true
	o.prepare = func(r *http.Request, body any) {
		if m, ok := body.(map[string]any); ok && m["entry_mode"] == nil && r.URL.Query().Get("entry_mode") != "" {
			m["entry_mode"] = r.URL.Query().Get("entry_mode")
		}
	}
	o.access.When = "values are to be kept readable, or the skill is to install itself; subject_id is new-session"
	registerConfirmed(s, o,
		func(_ context.Context, _ *createParams, b *wire.CreateLearnSessionRequest) (Subject, bool, error) {
			grants := b.ValuePolicy == string(capture.Literal) || len(b.LiteralApps) > 0 || b.AllowPrivateInstall ||
				b.BuildPolicy == state.PrivateAutoInstall
			return Subject{ID: "new-session"}.sayGrants(b), grants, nil
		},
		func(ctx context.Context, _ *createParams, b *wire.CreateLearnSessionRequest) (*reply[wire.CreateLearnSessionResponse], error) {
			r, err := s.deps.Learn.Create(ctx, meta(ctx, IfMatch{}, b.ClientRequestID), *b)
			return at(r, r.Session.Revision, err)
		})
	recording := post("import-recording", "/api/learn/recordings", tagSessions, "Make a session of a recording made elsewhere", userWrites,
		fault.LearnSessionAlreadyActive, fault.LearnSessionNotFound, fault.InvalidLearnStateTransition, fault.InsufficientTraces,
		fault.UnsupportedInBuild)
	recording.etag, recording.body = true, 4<<20 // escapes make a recording longer on the wire
	register(s, recording, func(ctx context.Context, _ *none, b *wire.RecordingRequest) (*reply[wire.RecordingResponse], error) {
		r, err := s.deps.Learn.ImportRecording(ctx, meta(ctx, IfMatch{}, b.ClientRequestID), *b)
		return at(r, r.Session.Revision, err)
	})
}

func (s *Server) markRoutes() {
	l, one := s.deps.Learn, "/api/learn/sessions/{sessionId}"
	register(s, post("mark-goal", one+"/mark-goal", tagSessions, "Say what the demonstration is after", userWrites, sessionCodes...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.MarkGoalRequest) (*reply[wire.SessionActionResponse], error) {
			r, err := l.MarkGoal(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return sessionReply(r, err)
		})
	register(s, post("mark-step", one+"/mark-step", tagSessions, "Name the step that comes next; a note is a step of kind other", userWrites,
		sessionCodes...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.MarkStepRequest) (*reply[wire.SessionActionResponse], error) {
			r, err := l.MarkStep(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return sessionReply(r, err)
		})
	register(s, post("trim-session", one+"/trim", tagSessions, "Move the beginning or the end of the demonstration to an observation",
		userWrites, append(sessionCodes, fault.NotFound, fault.InsufficientTraces)...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.TrimRequest) (*reply[wire.SessionActionResponse], error) {
			r, err := l.Trim(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return sessionReply(r, err)
		})
	register(s, get("list-boundaries", one+"/boundaries", tagSessions, "Where the demonstration begins, ends and was marked", userReads,
		fault.LearnSessionNotFound),
		func(ctx context.Context, p *SessionPath, _ *none) (*reply[wire.BoundaryList], error) {
			return answered(l.Boundaries(ctx, p.SessionID))
		})
}

func (s *Server) reviewRoutes() {
	l, one := s.deps.Learn, "/api/learn/sessions/{sessionId}"
	register(s, get("list-questions", one+"/questions", tagSessions, "What is unclear, with the answers so far", userReads,
		fault.LearnSessionNotFound),
		func(ctx context.Context, p *SessionPath, _ *none) (*reply[questionList], error) {
			q, err := l.Questions(ctx, p.SessionID)
			return answered(questionList{Questions: q, SchemaVersion: 1}, err)
		})
	register(s, post("answer-questions", one+"/answer-questions", tagSessions, "Answer them", userWrites,
		slices.Concat(sessionCodes, draftCodes, []fault.Code{fault.NotFound})...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.AnswerQuestionsRequest) (*reply[wire.AnswerQuestionsResponse], error) {
			r, err := l.AnswerQuestions(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, *b)
			return at(r, r.Session.Revision, err)
		})
	o := post("set-test-policy", one+"/set-test-policy", tagSessions, "Say how far a validation run may go",
		userWrites.confirmed("widen-test-policy"),
		append(sessionCodes, fault.TestPolicyViolation)...).rev()
	o.access.When = "the policy lets a run write or send"
	registerConfirmed(s, o,
		func(ctx context.Context, p *sessionChange, b *wire.SetTestPolicyRequest) (Subject, bool, error) {
			if !lenient(&b.TestPolicy) {
				return Subject{}, false, nil
			}
			x, needed, err := s.sessionSubject(ctx, p.SessionID)
			return x.sayPolicy(&b.TestPolicy, ""), needed, err
		},
		func(ctx context.Context, p *sessionChange, b *wire.SetTestPolicyRequest) (*reply[wire.SessionActionResponse], error) {
			r, err := l.SetTestPolicy(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, b.TestPolicy)
			return sessionReply(r, err)
		})
	register(s, post("generate-proposal", one+"/generate-proposal", tagSessions, "Draft a skill from the demonstration", userWrites,
		slices.Concat(sessionCodes, draftCodes, []fault.Code{fault.ProposalNotFound})...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*reply[wire.GenerateProposalResponse], error) {
			r, err := l.GenerateProposal(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return at(r, r.Session.Revision, err)
		})
	register(s, post("retain-session", one+"/retain", tagSessions, "Keep the raw observations beyond the usual seven days, or not", userWrites,
		sessionCodes...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.RetainRequest) (*reply[wire.SessionActionResponse], error) {
			r, err := l.SetRetain(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID, b.Retain)
			return sessionReply(r, err)
		})
}

type questionList struct {
	Questions     []wire.LearningQuestion `json:"questions"`
	SchemaVersion int                     `json:"schema_version" enum:"1"`
}

// sessionAction registers a change of state without a body worth the name.
func (s *Server) sessionAction(id, verb, summary string, do func(context.Context, state.Meta, string) (state.Session, error),
	extra ...fault.Code) {
	register(s, post(id, "/api/learn/sessions/{sessionId}"+verb, tagSessions, summary, userWrites,
		slices.Concat(sessionCodes, extra)...).rev(),
		func(ctx context.Context, p *sessionChange, b *wire.ActionRequest) (*reply[wire.SessionActionResponse], error) {
			r, err := do(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.SessionID)
			return sessionReply(r, err)
		})
}

// sessionSubject is a session as it is now, for presence.
func (s *Server) sessionSubject(ctx context.Context, id string) (Subject, bool, error) {
	x, err := s.deps.Learn.Session(ctx, id)
	return Subject{ID: x.LearnSessionID, Revision: x.Revision, ChangedAt: x.UpdatedAt}.saySession(x), true, err
}

func (x Subject) saySession(l state.Session) Subject {
	if l.Goal == "" {
		return x.say("The demonstration without a goal, of %s", l.CreatedAt.Local().Format("2 January, 15:04"))
	}
	return x.say("The demonstration of “%s”", l.Goal)
}

// lenient: a policy under which a run could change or send something.
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

// answered and its siblings turn a service's two results into a reply.
func answered[R any](r R, err error) (*reply[R], error) {
	if err != nil {
		return nil, err
	}
	return answer(r), nil
}

func at[R any](r R, revision int, err error) (*reply[R], error) {
	if err != nil {
		return nil, err
	}
	return versioned(r, revision), nil
}

func session(x state.Session, err error) (*reply[state.Session], error) {
	return at(x, x.Revision, err)
}

func sessionReply(x state.Session, err error) (*reply[wire.SessionActionResponse], error) {
	return at(wire.SessionActionResponse{Session: x}, x.Revision, err)
}
