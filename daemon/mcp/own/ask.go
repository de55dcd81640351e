package own

import (
	"context"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/message"
	"showhow/internal/fault"
)

type askArgs struct {
	Question string `json:"question" jsonschema:"one question, in plain words"`
}

type asked struct {
	Answer string `json:"answer"`
	Via    string `json:"via" jsonschema:"client: your client's own form; showhow: the person's inbox"`
}

// answerKey names the one question in a client's form.
const answerKey = "answer"

// ask asks through the client's own form if it has one, else through the person's inbox.
func (h *House) ask(ctx context.Context, c call, in askArgs) (asked, error) {
	if h.o.Redact != nil {
		in.Question = h.o.Redact(in.Question)
	}
	if r, ok := c.req.Params.InputResponses[answerKey].(*mcp.ElicitResult); ok {
		return formAnswer(r)
	}
	if caps := c.req.ClientCapabilities(); caps != nil && caps.Elicitation != nil {
		form := &mcp.ElicitParams{Mode: "form", Message: c.Agent + " asks: " + in.Question, RequestedSchema: map[string]any{"type": "object",
			"required": []string{answerKey}, "properties": map[string]any{answerKey: map[string]any{"type": "string", "title": "Answer"}}}}
		if c.req.ProtocolVersion() >= message.SelfContained {
			return asked{}, askClient{mcp.InputRequestMap{answerKey: form}}
		}
		if r, err := c.req.Session.Elicit(ctx, form); err == nil {
			return formAnswer(r)
		} else if ctx.Err() != nil {
			return asked{}, fault.New(fault.Cancelled, "the agent went away while a person was asked")
		}
		// A client that cannot show this form: the inbox can.
	}
	var n atomic.Int64
	token := c.req.Params.GetProgressToken()
	answer, err := h.o.Questions.Ask(ctx, c.Agent, in.Question, func(ctx context.Context) {
		if token != nil {
			_ = c.req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n.Add(1)),
				Message: "The person is asked."})
		}
	})
	return asked{Answer: answer, Via: "showhow"}, err
}

func formAnswer(r *mcp.ElicitResult) (asked, error) {
	text, _ := r.Content[answerKey].(string)
	if r.Action != "accept" || text == "" {
		return asked{}, fault.New(fault.MCPAskFirstRequired, "the person does not want to answer").WithDetail("decision", "denied").
			WithHint("do not repeat the question")
	}
	return asked{Answer: text, Via: "client"}, nil
}
