package acceptance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// An agent takes a task from lookup to its checkpoint, proposes a skill and asks the person, all over MCP; what it
// proposes waits for a person, and only a person answers.
func TestOwnTools_AtTheDaemonsDoor(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	helper := w.agent("helper")
	cs := w.atDoor("scout")
	use := func(tool string, args map[string]any, into any) string {
		t.Helper()
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		must(t, err)
		b, _ := json.Marshal(res.StructuredContent)
		if !res.IsError && into != nil {
			must(t, json.Unmarshal(b, into))
		}
		return string(b)
	}
	var seen client.LookupResult
	use("lookup_skills", map[string]any{"task": a.TriggerPhrases[0]}, &seen)
	if len(seen.Matches) == 0 || seen.Matches[0].AbilityID != a.AbilityID {
		t.Fatalf("%+v", seen)
	}
	md, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://" + a.SkillSlug + "/SKILL.md"})
	must(t, err)
	if !strings.HasPrefix(md.Contents[0].Text, "---\nname: "+a.SkillSlug) {
		t.Errorf("%s", md.Contents[0].Text)
	}
	use("verify_checkpoint", map[string]any{"skill": a.SkillSlug, "checkpoint": a.Checkpoints[0], "status": "reached"}, nil)
	if got := use("run_progress", map[string]any{"skill": a.SkillSlug}, nil); !strings.Contains(got, `"status":"reached"`) {
		t.Error(got)
	}

	var p struct {
		ImportID string `json:"import_id"`
		State    string
		Verdict  string
	}
	use("propose_skill", map[string]any{"name": "count-the-lines", "why": "I did this three times",
		"skill_md": "---\nname: count-the-lines\ndescription: Count the lines of a report.\n---\n\nCount them with `wc -l`.\n",
		"files":    []map[string]any{{"path": "references/why.md", "text": "Because."}}}, &p)
	if p.State != "ready_for_review" || p.Verdict == "blocked" {
		t.Fatalf("%+v", p)
	}
	if e, err := w.c.Ability(t.Context(), "count-the-lines"); err == nil {
		t.Errorf("what an agent proposed is installed: %+v", e)
	}
	inbox := got(w.c.Inbox(t.Context()))(t)
	if len(inbox.Items) != 1 || inbox.Items[0].Kind != "agent_proposal" || inbox.Items[0].Ref != p.ImportID {
		t.Errorf("%+v", inbox.Items)
	}

	answer := make(chan string, 1)
	go func() { answer <- use("ask_person", map[string]any{"question": "Which report?"}, nil) }()
	var q client.AgentQuestions
	w.until("the question waits", func() bool {
		q = got(w.c.AgentQuestions(t.Context()))(t)
		return len(q.Questions) == 1
	})
	if inbox := got(w.c.Inbox(t.Context()))(t); inbox.Items[0].Kind != "agent_question" || inbox.Items[0].Detail != "Which report?" {
		t.Errorf("%+v", inbox.Items)
	}
	id := q.Questions[0].QuestionID
	if _, err := helper.AnswerQuestion(t.Context(), id, client.QuestionAnswer{Text: "mine"}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an agent answers in the person's place: %v", err)
	}
	if _, err := helper.AgentQuestions(t.Context()); !fault.Is(err, fault.Forbidden) {
		t.Errorf("an agent reads another's question: %v", err)
	}
	got(w.c.AnswerQuestion(t.Context(), id, client.QuestionAnswer{Text: "the one of November"}))(t)
	if s := <-answer; !strings.Contains(s, "the one of November") {
		t.Error(s)
	}
	if _, err := helper.Progress(t.Context(), "", a.SkillSlug); !fault.Is(err, fault.NotFound) {
		t.Errorf("an agent sees another's progress: %v", err)
	}
}

// Decisions are no tools: none of the operations that need a person is reachable by any name.
func TestOwnTools_NothingThatAPersonDecidesIsATool(t *testing.T) {
	t.Parallel()
	w := begin(t)
	cs := w.atDoor("scout")
	for _, name := range []string{"approve", "approve_ability", "install_skill", "answer_question", "approve_call", "set_policy",
		"learn_start", "skill_approve", "call_tool"} {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{"name": "approve"}})
		if err == nil && !res.IsError {
			t.Errorf("%s is a tool", name)
		}
	}
}
