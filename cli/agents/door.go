package agents

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"showhow/adapters/receipts/report"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/agenthook"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/paths"
)

func doorCommand(e *env) *cobra.Command {
	var project string
	cmd := &cobra.Command{Use: "mcp", Short: "Showhow's MCP server, for an agent's configuration",
		Long: `Speaks MCP on standard input and output. An agent gets: your usable skills, to look up, read and report on; tools for your notes,
tasks, Word and PDF documents; and the tools of your connectors. Whatever you have not allowed asks you first, and nothing that only
you may decide is among them. Whoever runs it counts as an agent. ` + "`showhow agent connect AGENT`" + ` puts it into an agent's
own configuration; docs/mcp.md lists what is offered.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			return c.Door(cmd.Context(), project, e.In, e.Out)
		}}
	cmd.Flags().StringVar(&project, "project", "", "the `project` that the agent works for, as `showhow project list` names it: "+
		"you can then allow a call for the whole project; whoever starts the agent can name any")
	return kit.With(cmd, "showhow mcp", "showhow mcp --project acme")
}

// agentConnect returns the commands that add Showhow's MCP server to an agent's own configuration and remove it.
func agentConnect(e *env) []*cobra.Command {
	var yes bool
	var way string
	connect := &cobra.Command{Use: "connect AGENT", Short: "Put Showhow's MCP server into an agent's configuration",
		Long: "Shows what goes where, and writes it with --yes: beside whatever stands there. An entry named showhow that is not\n" +
			"Showhow's stays, and is an error.\n" +
			"`showhow agent disconnect` and `showhow uninstall` take exactly that out again.\n" +
			"--skills says how the agent gets your skills: as copies in its folder (files), over MCP without copies (mcp), or both.",
		Args: cobra.ExactArgs(1), ValidArgs: agenthook.Names,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := e.doorOf(args[0])
			if err != nil {
				return err
			}
			whose := d.Whose()
			if whose == agenthook.Another {
				return d.Refused()
			}
			if yes {
				if err := e.connect(cmd.Context(), d, args[0], way); err != nil {
					return err
				}
			}
			if e.JSON {
				return e.Print(map[string]any{"agent": args[0], "path": d.Path, "config": d.Snippet, "written": yes, "next": d.Next, "skills": way})
			}
			if yes {
				e.Say("written to %s; %s", e.Roots.Tilde(d.Path), d.Next)
			} else if whose == agenthook.Ours {
				e.Say("Showhow's server is in %s already, in another form. This would replace it:\n\n%s", e.Roots.Tilde(d.Path), d.Snippet)
				e.Say("To write it:  showhow agent connect %s --yes", args[0])
				e.Say("To take out what is there:  showhow agent disconnect %s", args[0])
			} else if whose == agenthook.Exactly {
				e.Say("This is in %s already:\n\n%s\nTo take it out:  showhow agent disconnect %s", e.Roots.Tilde(d.Path), d.Snippet, args[0])
			} else {
				e.Say("With it the agent finds and reads your skills, and has the tools of your notes, tasks, documents and connectors. Whatever you " +
					"have not allowed asks you first.")
				e.Say("This goes into %s:\n\n%s\nTo write it:  showhow agent connect %s --yes", e.Roots.Tilde(d.Path), d.Snippet, args[0])
			}
			return e.noteFolder(args[0])
		}}
	connect.Flags().BoolVar(&yes, "yes", false, "write it")
	kit.Choose(connect, &way, "skills", "", "how it gets skills: files, mcp or both (default: as it is)", "files", "mcp", "both")
	disconnect := &cobra.Command{Use: "disconnect AGENT", Short: "Take it out of the agent's configuration again",
		Args: cobra.ExactArgs(1), ValidArgs: agenthook.Names,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := e.doorOf(args[0])
			was := agenthook.Nobodys
			if err == nil {
				if was = d.Whose(); was == agenthook.Another {
					err = d.Refused() // before anything else changes
				}
			}
			if err == nil {
				err = e.backToCopies(cmd.Context(), args[0])
			}
			if err == nil {
				err = d.Disconnect()
			}
			if err != nil || e.JSON {
				if err == nil {
					err = e.Print(map[string]any{"agent": args[0], "path": d.Path, "written": false})
				}
				return err
			}
			if was == agenthook.Nobodys {
				e.Say("Showhow's server is not in %s", e.Roots.Tilde(d.Path))
				return nil
			}
			e.Say("taken out of %s", e.Roots.Tilde(d.Path))
			return nil
		}}
	return []*cobra.Command{kit.With(connect, "showhow agent connect claude-code", "showhow agent connect codex --skills mcp --yes"),
		kit.With(disconnect, "showhow agent disconnect claude-code")}
}

func (e *env) doorOf(agent string) (agenthook.Door, error) {
	self, err := os.Executable()
	if err != nil {
		return agenthook.Door{}, err
	}
	return agenthook.DoorFor(agent, agenthook.Env{Home: e.Roots.Home, Exe: self, Dirs: kit.AgentDirs(e.Env), Vars: paths.Variables(e.Getenv)})
}

// noteFolder says how the agent finds skills by itself, if the settings do not name its folder: none of the known agents
// takes them from the door (docs/agents.md).
func (e *env) noteFolder(agent string) error {
	saved, err := config.Load(e.Roots)
	if err != nil {
		return err
	}
	name := targetOf(agent)
	if !slices.ContainsFunc(saved.Targets, func(t config.Target) bool { return t.Name == name }) {
		e.Note("it finds your skills by itself once they are copied into its folder:  showhow settings set targets.%s %s",
			name, skillFolder[agent])
	}
	return nil
}

// skillFolder is where each agent looks for skills.
var skillFolder = map[string]string{report.ClaudeCode: "~/.claude/skills", report.Codex: "~/.agents/skills",
	report.OpenClaw: "~/.openclaw/workspace/skills"}

// targetOf is the name of an agent's skill folder in the settings.
func targetOf(agent string) string {
	if agent == report.ClaudeCode {
		return "claude"
	}
	return agent
}

// connect puts the door into the agent's configuration and saves how the agent gets skills: both, or neither. The
// configuration is written first, because taking it back needs no person.
func (e *env) connect(ctx context.Context, d agenthook.Door, agent, way string) error {
	before := d.Connected()
	_, err := os.Lstat(d.Path)
	created := errors.Is(err, fs.ErrNotExist)
	if err := d.Connect(); err != nil {
		return err
	}
	if err = e.chooseSkills(ctx, agent, way); err == nil || before { // a person may refuse
		return err
	}
	if undone := d.Disconnect(); undone != nil {
		return errors.Join(err, undone)
	}
	if created {
		_ = os.Remove(d.Path) // an empty object, which nobody misses
	}
	return err
}

// chooseSkills saves how an agent gets skills; "" leaves it as it is.
func (e *env) chooseSkills(ctx context.Context, agent, way string) error {
	if way == "" {
		return nil
	}
	c, err := e.Connect(ctx)
	if err != nil {
		return err
	}
	s, err := c.Settings(ctx)
	if err != nil {
		return err
	}
	name := targetOf(agent)
	i := slices.IndexFunc(s.Targets, func(t client.SettingsTarget) bool { return t.Name == name })
	switch {
	case i < 0 && way == "mcp":
		e.Note("the settings name no skill folder of %s, so there are no copies to take away", agent)
		return nil
	case i < 0:
		return fault.New(fault.NotFound, "the settings name no skill folder of this agent").
			WithHint("name it: showhow settings set targets." + name + " FOLDER")
	case s.Targets[i].Skills == way || s.Targets[i].Skills == "" && way == "both":
		return nil
	}
	s.Targets[i].Skills = way
	if s, err = c.ChangeSettings(ctx, client.SettingsChange{SettingsValues: s.SettingsValues, ContentHash: s.ContentHash}); err != nil {
		return err
	}
	if len(s.AfterRestart) > 0 {
		e.Note("%s gets skills this way after: showhow daemon restart", agent)
	}
	return nil
}

// backToCopies gives an agent that leaves the door its copies back. The way is the default, both: when the agent returns
// to the door, its lists there are not empty.
func (e *env) backToCopies(ctx context.Context, agent string) error {
	saved, err := config.Load(e.Roots)
	if err != nil {
		return err
	}
	name := targetOf(agent)
	if !slices.ContainsFunc(saved.Targets, func(t config.Target) bool { return t.Name == name && t.Skills == config.SkillMCP }) {
		return nil
	}
	return e.chooseSkills(ctx, agent, config.SkillBoth)
}
