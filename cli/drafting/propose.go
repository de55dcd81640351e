package drafting

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func draftCommands(e *env) []*cobra.Command {
	propose := kit.With(e.OnSession("propose", "Understand what was shown and draft the skill",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			g, err := c.GenerateProposal(ctx, id)
			if err != nil || e.JSON {
				return e.Done(err, "")
			}
			d, err := c.Proposal(ctx, g.ProposalID)
			if err != nil {
				return err
			}
			e.sayProposal(d)
			return nil
		}), "showhow learn propose")
	questions := kit.With(e.OnSession("questions", "List the questions about what was shown",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			qs, err := c.Questions(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				for _, q := range qs {
					e.sayQuestion(q)
				}
				if len(qs) == 0 {
					e.Say("no questions")
				}
			})
		}), "showhow learn questions")
	answer := kit.With(e.OnSession("answer [NUMBER=TEXT]...", "Answer the questions; without arguments, one after the other", e.answer),
		"showhow learn answer", `showhow learn answer 1=input "2=when the order has been shipped already"`)
	answer.Long = `A question about a value takes: input (ask for it each time), constant (always this), example (as an example in the text),
drop, "constant: TEXT" where it is always TEXT, or one of what the page offers. An empty line keeps the suggestion. A question keeps
its number; answer it again to change the answer.`
	values := kit.With(e.OnSession("values", "Show the sealed values, to decide what becomes of each",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			v, err := c.Values(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no value was typed or chosen", kit.Columns("LABEL", "KIND", "ROLE", "VALUE"), func(row func(...any)) {
					for _, x := range v.Values {
						row(x.Label, x.Kind, kit.Words(cmp.Or(x.Role, "undecided")), strconv.Quote(x.Value))
					}
				})
			})
		}), "showhow learn values")
	return []*cobra.Command{propose, questions, answer, values}
}

func (e *env) sayQuestion(q client.QuestionView) {
	need := ""
	if q.Required && !q.Answered {
		need = " (needed)"
	}
	e.Say("%d. %s%s", q.Number, e.Wrap(3, q.QuestionText), need)
	if len(q.Choices) > 0 {
		e.Say("   choices: %s", strings.Join(q.Choices, " | "))
	}
	if len(q.Options) > 0 {
		e.Say("   the page offers: %s", e.Wrap(3, strings.Join(q.Options, " | ")))
	}
	switch {
	case q.Answered:
		e.Say("   answer: %s", q.AnswerText)
	case q.Suggested != "":
		e.Say("   suggested: %s", q.Suggested)
	}
}

// answer sends NUMBER=TEXT answers, or asks one question after the other.
func (e *env) answer(ctx context.Context, c *client.Client, id string, args []string) error {
	qs, err := c.Questions(ctx, id)
	if err != nil {
		return err
	}
	var items []client.AnswerItem
	in := bufio.NewReader(e.In)
	if len(args) > 0 {
		items, err = givenAnswers(qs, args)
	} else {
		items, err = e.askAnswers(ctx, in, qs)
	}
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return e.Show(func() {
			if len(args) == 0 && len(qs) > 0 && !slices.ContainsFunc(qs, func(q client.QuestionView) bool { return !q.Answered }) {
				e.Say("every question is answered; `showhow learn answer %d=TEXT` changes an answer, `showhow learn questions` lists them",
					qs[0].Number)
				return
			}
			e.Say("nothing to answer")
		})
	}
	r, err := c.AnswerQuestions(ctx, id, client.AnswerQuestionsRequest{Answers: items})
	for err != nil && len(args) == 0 {
		refused := refusedAnswer(qs, err)
		if refused == nil {
			break
		}
		e.Note("%s: %s", fault.From(err).Message, fault.From(err).Hint)
		again, asking := e.askAnswers(ctx, in, refused)
		if asking != nil || len(again) == 0 {
			break
		}
		for i := range items {
			if items[i].QuestionID == again[0].QuestionID {
				items[i] = again[0]
			}
		}
		r, err = c.AnswerQuestions(ctx, id, client.AnswerQuestionsRequest{Answers: items})
	}
	if err != nil {
		return err
	}
	return e.Show(func() {
		for _, u := range r.Understood {
			e.Say("%s", u)
		}
		if len(items) > 0 {
			e.Say("(changed by answering again: showhow learn answer NUMBER=TEXT; `showhow learn questions` has the numbers)")
		}
		if r.RemainingQuestions > 0 {
			e.Say("%s open", kit.Plural(r.RemainingQuestions, "question is", "questions are"))
		}
		if r.Session.ProposalID != "" {
			e.Say("next: showhow proposal show, then showhow proposal validate")
		}
	})
}

// refusedAnswer is the question whose answer the daemon refused, to be asked again.
func refusedAnswer(qs []client.QuestionView, err error) []client.QuestionView {
	id, _ := fault.From(err).Details["question_id"].(string)
	if i := slices.IndexFunc(qs, func(q client.QuestionView) bool { return q.QuestionID == id }); i >= 0 {
		return qs[i : i+1]
	}
	return nil
}

func givenAnswers(qs []client.QuestionView, args []string) ([]client.AnswerItem, error) {
	var items []client.AnswerItem
	for _, a := range args {
		key, text, ok := strings.Cut(a, "=")
		if !ok {
			return nil, kit.Usage("write NUMBER=TEXT").WithHint("`showhow learn questions` numbers them")
		}
		if n, err := strconv.Atoi(key); err == nil {
			i := slices.IndexFunc(qs, func(q client.QuestionView) bool { return q.Number == n })
			if i < 0 {
				return nil, kit.Usage("there is no question %d",
					n).WithHint("`showhow learn questions` numbers them; one that no longer matters is withdrawn")
			}
			key = qs[i].QuestionID
		}
		items = append(items, client.AnswerItem{QuestionID: key, AnswerText: text})
	}
	return items, nil
}

// askAnswers asks the open questions. It stops at the end of the input; an interrupt discards all answers.
func (e *env) askAnswers(ctx context.Context, in *bufio.Reader, qs []client.QuestionView) ([]client.AnswerItem, error) {
	var items []client.AnswerItem
	for _, q := range qs {
		if q.Answered {
			continue
		}
		e.sayQuestion(q)
		fmt.Fprint(e.ErrOut, "   > ")
		text, err := kit.ReadLine(ctx, in)
		if ctx.Err() != nil {
			e.Note("")
			return nil, err
		}
		if f, ok := e.In.(*os.File); err != nil || !ok || !term.IsTerminal(int(f.Fd())) {
			fmt.Fprintln(e.ErrOut, text) // nobody's Enter ended the line
		}
		if err != nil {
			break
		}
		if text == "" {
			text = q.Suggested
		}
		if text != "" {
			items = append(items, client.AnswerItem{QuestionID: q.QuestionID, AnswerText: text})
		}
	}
	return items, nil
}
