package routes

import (
	"context"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Questions are what agents ask the person; *question.Desk implements it.
type Questions interface {
	Open(ctx context.Context) (wire.AgentQuestions, error)
	Question(ctx context.Context, id string) (wire.AgentQuestion, error)
	Answer(ctx context.Context, id string, a wire.QuestionAnswer) (wire.QuestionAnswered, error)
}

// Progress is how far an agent is with a run; *ability.Service implements it.
type Progress interface {
	Progress(ctx context.Context, reporter string, r wire.ProgressRequest) (wire.DispatchProgress, error)
}

type questionPath struct {
	QuestionID string `path:"questionId" format:"uuid"`
}

type progressQuery struct {
	DispatchID string `query:"dispatch_id" maxLength:"160"`
	AbilityID  string `query:"ability_id" maxLength:"160" doc:"ability id or slug; without dispatch_id: the caller's current run of it"`
}

// QuestionRoutes are the routes of what agents ask, and of how far they are.
type QuestionRoutes struct {
	Questions Questions
	Progress  Progress
}

// Register adds the routes. Only a person reads and answers questions.
func (rs QuestionRoutes) Register(g *engine.Engine) {
	q := rs.Questions
	engine.Register(g, engine.Get("list-agent-questions", "/api/questions", "inbox", "What agents ask you and wait for, oldest first",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.AgentQuestions], error) {
			return engine.Answered(q.Open(ctx))
		})
	answer := engine.Post("answer-agent-question", "/api/questions/{questionId}/answer", "inbox", "Answer an agent's question, or refuse it",
		engine.UserWrites.Confirmed("answer-question"), fault.NotFound)
	answer.Access.When = "it is answered; refusing needs none"
	engine.RegisterConfirmed(g, answer,
		func(ctx context.Context, p *questionPath, b *wire.QuestionAnswer) (presence.Subject, bool, error) {
			asked, err := q.Question(ctx, p.QuestionID)
			x := presence.Subject{ID: p.QuestionID}.Say("The agent “%s” asks: “%s”", asked.Agent, asked.Text)
			return x.Say("It is told what you typed: %d characters", len([]rune(b.Text))), !b.Refuse, err
		},
		func(ctx context.Context, p *questionPath, b *wire.QuestionAnswer) (*engine.Reply[wire.QuestionAnswered], error) {
			return engine.Answered(q.Answer(ctx, p.QuestionID, *b))
		})
	engine.Register(g, engine.Get("get-progress", "/api/dispatches/progress", "bridge", "How far your own run of an ability is",
		engine.AnybodyReads, fault.NotFound, fault.AbilityNotFound),
		func(ctx context.Context, p *progressQuery, _ *engine.None) (*engine.Reply[wire.DispatchProgress], error) {
			return engine.Answered(rs.Progress.Progress(ctx, caller.Of(ctx).Reporter(),
				wire.ProgressRequest{DispatchID: p.DispatchID, AbilityID: p.AbilityID}))
		})
}
