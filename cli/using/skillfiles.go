package using

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// skillValidate needs no daemon: it validates a folder.
func skillValidate(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "validate DIR", Short: "Say which kinds of agents take a skill's folder as it is, and what the others mind",
		Args: cobra.ExactArgs(1), RunE: func(_ *cobra.Command, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return fault.Wrap(err, fault.Usage, "the folder cannot be named")
			}
			b, err := skill.ReadDir(dir)
			if err != nil {
				return err
			}
			return e.judge(b, args[0])
		}}
	cmd.Long = "as is: taken unchanged. adapted: `showhow skill export` changes the head of SKILL.md. refused: the author has to change " +
		"it.\nThe exit code is 4 when a target refuses it."
	return kit.With(cmd, "showhow skill validate ./my-skill")
}

func (e *env) judge(b skill.Bundle, dir string) error {
	verdicts := skill.Verdicts(b)
	refused := ""
	for _, v := range verdicts {
		if v.Verdict == "refused" {
			refused = v.Target
		}
	}
	if e.JSON {
		if err := e.Print(map[string]any{"name": b.Name, "content_hash": b.Hash(), "targets": verdicts, "advice": advice(b)}); err != nil {
			return err
		}
	} else {
		e.sayVerdicts(b, verdicts)
	}
	if refused != "" {
		return fault.Newf(fault.SkillRefused, "%s does not take this skill", refused).
			WithHint("change what is marked as an error, then: showhow skill validate " + kit.PlainText(dir))
	}
	e.Say("next: showhow skill import %s imports it for your review", kit.PlainText(dir))
	return nil
}

// advice lists violations of our own rules for what Showhow writes; they prevent nothing.
func advice(b skill.Bundle) []wire.SkillFinding {
	out := []wire.SkillFinding{}
	for _, f := range skill.Validate(b, false) {
		if f.Severity != "error" {
			out = append(out, twin.To[wire.SkillFinding](f))
		}
	}
	return out
}

func (e *env) sayVerdicts(b skill.Bundle, verdicts []skill.TargetVerdict) {
	said := map[string]bool{}
	for _, v := range verdicts {
		e.Say("%-12s %s", v.Target, kit.Words(v.Verdict))
	}
	for _, v := range verdicts {
		for _, f := range v.Findings {
			line := f.Severity + " " + f.Rule + " " + f.Subject + ": " + f.Message
			if f.Fix != "" {
				line += " (" + f.Fix + ")"
			}
			if !said[line] {
				e.Say("  %s", line)
			}
			said[line] = true
		}
	}
	for _, f := range advice(b) {
		if line := f.Rule + " " + f.Subject + ": " + f.Message; !said[line] {
			e.Say("  advice %s", line)
		}
	}
}

func skillExport(e *env) *cobra.Command {
	var target, output string
	cmd := e.onSkill("export", "Write an approved skill as a kind of agent takes it, as a folder or a zip",
		func(ctx context.Context, c *client.Client, id string) error {
			if target == "claude-code" { // as other commands call that agent
				target = "claude"
			}
			x, err := c.ExportSkill(ctx, id, target)
			if err != nil {
				return err
			}
			where, err := writeSkill(x, output)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("%s", where)
				for _, f := range x.Adapted {
					if f.Severity == "warn" {
						e.Say("  adapted: %s: %s", f.Subject, f.Message)
					}
				}
			})
		})
	kit.Choose(cmd, &target, "target", "agentskills", "which kind of agent", append(skill.Targets(), "claude-code")...)
	cmd.Flags().StringVarP(&output, "output", "o", ".", "`folder` to put the skill's folder into, or a file that ends in .zip")
	return kit.With(cmd, "showhow skill export change-an-order --target claude --output ~/.claude/skills",
		"showhow skill export change-an-order --output change-an-order.zip")
}

// writeSkill writes an export; it overwrites nothing.
func writeSkill(x client.SkillExport, output string) (string, error) {
	var files []skill.File
	for _, f := range x.Files {
		mode := uint32(0o644)
		if f.Executable {
			mode = 0o755
		}
		files = append(files, skill.File{Path: f.Path, Mode: mode, Data: f.Content})
	}
	b, err := skill.New(x.Name, files)
	if err != nil {
		return "", err
	}
	if !strings.EqualFold(filepath.Ext(output), ".zip") {
		dir := filepath.Join(output, x.Name)
		return dir, b.WriteTo(dir, false)
	}
	for i := range b.Files {
		b.Files[i].Path = x.Name + "/" + b.Files[i].Path
	}
	packed, err := archive.Pack(b.Files)
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "the archive could not be made")
	}
	return output, kit.WriteNew(output, 0o644, packed)
}
