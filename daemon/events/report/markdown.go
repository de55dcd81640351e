package report

import (
	"fmt"
	"strings"
	"unicode"

	"showhow/daemon/wire"
)

// page collects Markdown. Agents' text goes through plain: it can look neither like a heading nor like a link.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = plain(s)
		}
	}
	fmt.Fprintf(p, format+"\n", args...)
}

var escapes = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "<", "&lt;", ">", "&gt;", "|",
	"\\|", "#", "\\#", "!", "\\!", "&", "&amp;")

func plain(s string) string { return escapes.Replace(strings.Join(strings.Fields(s), " ")) }

// code formats a command of Showhow's, whose ids and words hold no backtick.
func code(s string) string { return "`" + s + "`" }

// quoted is an agent's name for something as one shell word: letters, digits and spaces, which no shell interprets.
func quoted(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	return "'" + strings.Join(words, " ") + "'"
}

// SessionMarkdown is a session's report as Markdown.
func SessionMarkdown(r wire.RuntimeSessionReport) string {
	p := &page{}
	p.line("# Session %s\n", r.SessionID)
	p.line("- Task: %s", r.Task)
	if r.Operator != "" {
		p.line("- Operator: %s", r.Operator)
	}
	for _, s := range r.Sources {
		p.line("- Source: %s", s)
	}
	if o := r.Outcome; o != nil {
		p.line("- Outcome: %s, score %.2f", o.Status, o.Score)
		if o.Comment != "" {
			p.line("- Comment: %s", o.Comment)
		}
	} else {
		p.line("- Outcome: none yet")
	}
	p.line("- Generated: %s", r.GeneratedAt.String())
	p.list("Selected skills", r.SelectedSkills)
	p.list("Missing capabilities", r.MissingCapabilities)
	if len(r.Checkpoints) > 0 {
		p.line("\n## Checkpoints\n")
		for _, c := range r.Checkpoints {
			p.line("- %s: %s", firstOf(c.Step, c.CheckpointID), firstOf(c.Status, "not told"))
		}
	} else {
		p.list("Steps", r.Steps)
	}
	p.line("\n## Handoff\n")
	p.line("- State: %s", r.Handoff.State)
	if r.Handoff.Summary != "" {
		p.line("- Summary: %s", r.Handoff.Summary)
	}
	if r.Handoff.NextAction != "" {
		p.line("- Next: %s", r.Handoff.NextAction)
	}
	if len(r.Signals) > 0 {
		p.line("\n## Signals\n")
		for _, s := range r.Signals {
			p.line("- %s: %s", strings.ReplaceAll(s.Signal, "_", " "), s.Subject)
		}
	}
	p.line("\n## Promotion risk: %s\n", r.PromotionRisk.Level)
	for _, n := range r.PromotionRisk.Notes {
		p.line("- %s", n)
	}
	p.line("\n## Evidence\n")
	p.line("| envelope | event | kind | projected feedback |")
	p.line("|---|---|---|---|")
	for _, e := range r.Evidence {
		p.line("| %s | %s | %s | %s |", e.EnvelopeID, e.EventID, e.EventKind, firstOf(e.FeedbackID, "none"))
	}
	return p.String()
}

func (p *page) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	p.line("\n## %s\n", title)
	for _, i := range items {
		p.line("- %s", i)
	}
}

// GovernanceMarkdown is the governance report as Markdown.
func GovernanceMarkdown(g wire.GovernanceReport) string {
	p := &page{}
	p.line("# Governance\n")
	p.line("- Ready for promotion: %d", g.Ready)
	p.line("- Needs an operator: %d", g.Review)
	p.line("- Blocked: %d", g.Blocked)
	p.line("- Stands on %d feedback records of %d sessions", g.Feedback, g.Sessions)
	p.line("- Generated: %s", g.GeneratedAt.String())
	if len(g.Proposals) == 0 {
		p.line("\nNothing is proposed.")
	}
	for _, x := range g.Proposals {
		p.line("\n## %s\n", x.Title)
		p.line("- Readiness: %s", strings.ReplaceAll(x.Readiness, "_", " "))
		p.line("- Risk: %s", x.Risk.Level)
		for _, n := range x.Risk.Notes {
			p.line("  - %s", n)
		}
		if x.Kind != "draft" {
			p.line("- Evidence: %d sessions, %d failed, %d succeeded; told by %s", x.Evidence.Sessions, x.Evidence.Failures, x.Evidence.Successes,
				firstOf(strings.Join(x.Evidence.Reporters, ", "), "nobody"))
		}
		p.line("- Rollback: %s", x.Rollback.How)
		if x.Rollback.Command != "" {
			p.WriteString("  " + code(x.Rollback.Command) + "\n")
		}
		p.line("\n| gate %s | required | found | met |", x.Gate.Name)
		p.line("|---|---|---|---|")
		for _, r := range x.Gate.Requirements {
			p.line("| %s | %s | %s | %s |", r.Name, r.Required, r.Actual, map[bool]string{true: "yes", false: "no"}[r.Met])
		}
		p.line("")
		for _, a := range x.OperatorActions {
			p.WriteString(code(a) + "\n")
		}
	}
	return p.String()
}
