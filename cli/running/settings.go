package running

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/config"
)

func settingsCommand(e *env) *cobra.Command {
	cmd := kit.With(e.Call("settings", "Show the settings, and change them", func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.Settings(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() { e.saySettings(s) })
	}), "showhow settings", "showhow settings set idle_exit_minutes 0", "showhow settings set targets.claude ~/.claude/skills")
	cmd.AddCommand(setSettingCommand(e), resetSettingCommand(e))
	return cmd
}

func (e *env) saySettings(s client.Settings) {
	e.Say("file     %s\nmemory   %s\nidle     %s", e.configText(), e.Roots.Tilde(s.Memory), idleText(s.IdleExitMinutes))
	for _, t := range s.Targets {
		e.Say("target   %s: %s", t.Name, e.Roots.Tilde(t.Dir))
	}
	if s.Browser.Path != "" || s.Browser.Headless {
		e.Say("browser  %s", strings.TrimSpace(s.Browser.Path+map[bool]string{true: " without a window"}[s.Browser.Headless]))
	}
	if s.AgentDisplayName != "" {
		e.Say("agent    is called %s", s.AgentDisplayName)
	}
	if len(s.AgentCommand) > 0 {
		e.Say("practice %s", strings.Join(s.AgentCommand, " "))
	}
	if s.Model.URL != "" {
		e.Say("model    %s", strings.TrimSpace(s.Model.Name+" at "+s.Model.URL))
	}
	if s.Registries.RequireSignature {
		e.Say("signed   only signed skills are pulled")
	}
	for _, o := range s.Outlook {
		for _, x := range []struct {
			on   *bool
			what string
		}{{o.EmailSend, "sending"}, {o.CalendarWrite, "changes of the calendar"}} {
			if x.on != nil && !*x.on {
				e.Say("outlook  %s: no %s", o.Account, x.what)
			}
		}
	}
	if !s.Overlay.Show {
		e.Say("overlay  is not shown by itself")
	}
	if s.Overlay.PauseKey != "" {
		e.Say("pause    %s", s.Overlay.PauseKey)
	}
	e.sayWaiting(s)
}

// sayWaiting names saved settings that are not yet in force.
func (e *env) sayWaiting(s client.Settings) {
	if s.Mistake != "" {
		e.Note("%s: these are the settings in force", s.Mistake)
	}
	if len(s.AfterRestart) > 0 {
		e.Note("in force after `showhow daemon restart`: %s", strings.Join(s.AfterRestart, ", "))
	}
}

func idleText(minutes int) string {
	if minutes == 0 {
		return "the daemon stays"
	}
	return "the daemon exits after " + kit.Plural(minutes, "idle minute", "idle minutes")
}

func (e *env) configText() string {
	name := e.Roots.Tilde(e.Roots.Config)
	if _, err := os.Stat(e.Roots.Config); errors.Is(err, os.ErrNotExist) {
		name += " (does not exist: these are the defaults)"
	}
	return name
}

func setSettingCommand(e *env) *cobra.Command {
	cmd := e.Call("set SETTING VALUE...", "Change one setting", func(ctx context.Context, c *client.Client, args []string) error {
		return e.changeSetting(ctx, c, args[0], args[1:])
	})
	cmd.Long = `A setting is named as in config.toml (docs/config.md):
` + strings.Join(settingLines(), "\n") + `

A list takes several values; put -- before values that begin with a dash. targets.NAME adds a skill folder or moves one.
What starts another program or writes to another folder asks for a code. A config.toml that you wrote yourself is kept
as config.toml.bak.`
	cmd.ValidArgs = settingNames()
	return kit.With(cmd, "showhow settings set overlay.show false",
		`showhow settings set agent_command -- claude -p "read .showhow/brief.md and do it"`)
}

func resetSettingCommand(e *env) *cobra.Command {
	cmd := e.Call("reset SETTING", "Give one setting its default again", func(ctx context.Context, c *client.Client, args []string) error {
		return e.changeSetting(ctx, c, args[0], nil)
	})
	cmd.Long = `targets.NAME removes that skill folder from the settings; targets restores the default folder.
outlook.email_send.ACCOUNT and outlook.calendar_write.ACCOUNT allow it again, after you were asked.`
	cmd.ValidArgs = settingNames()
	return kit.With(cmd, "showhow settings reset idle_exit_minutes", "showhow settings reset targets.claude")
}

// changeSetting reads all settings, changes one and writes all; the hash protects a concurrent change.
func (e *env) changeSetting(ctx context.Context, c *client.Client, name string, to []string) error {
	s, err := c.Settings(ctx)
	if err != nil {
		return err
	}
	v := s.SettingsValues
	if dir, ok := strings.CutPrefix(name, "targets."); ok {
		err = setTarget(&v, dir, to)
	} else if of, ok := strings.CutPrefix(name, "outlook."); ok {
		err = setOutlook(&v, of, to)
	} else if set := settings[name]; set == nil {
		err = kit.Usage("there is no setting %s", name).WithHint("settings: " + strings.Join(settingNames(), ", "))
	} else if to == nil {
		set.reset(&v, config.Default(e.Roots))
	} else {
		err = set.set(&v, to)
	}
	if err != nil {
		return err
	}
	s, err = c.ChangeSettings(ctx, client.SettingsChange{SettingsValues: v, ContentHash: s.ContentHash})
	if err != nil {
		return err
	}
	return e.Show(func() {
		e.Say("Saved in %s.", e.Roots.Tilde(s.File))
		e.sayWaiting(s)
	})
}

// setOutlook changes a switch of an account: email_send.ACCOUNT or calendar_write.ACCOUNT.
func setOutlook(v *client.SettingsValues, name string, to []string) error {
	which, account, _ := strings.Cut(name, ".")
	if account == "" || which != "email_send" && which != "calendar_write" {
		return kit.Usage("there is no setting outlook.%s", name).WithHint("outlook.email_send.ACCOUNT, outlook.calendar_write.ACCOUNT")
	}
	i := slices.IndexFunc(v.Outlook, func(o client.SettingsOutlook) bool { return strings.EqualFold(o.Account, account) })
	if i < 0 {
		i, v.Outlook = len(v.Outlook), append(v.Outlook, client.SettingsOutlook{Account: account})
	}
	at := map[string]**bool{"email_send": &v.Outlook[i].EmailSend, "calendar_write": &v.Outlook[i].CalendarWrite}[which]
	*at = nil
	if to != nil {
		b, err := strconv.ParseBool(strings.Join(to, " "))
		if err != nil {
			return kit.Usage("say true or false")
		}
		*at = &b
	}
	if o := v.Outlook[i]; o.EmailSend == nil && o.CalendarWrite == nil {
		v.Outlook = slices.Delete(v.Outlook, i, i+1)
	}
	return nil
}

func setTarget(v *client.SettingsValues, name string, to []string) error {
	i := slices.IndexFunc(v.Targets, func(t client.SettingsTarget) bool { return t.Name == name })
	switch {
	case len(to) > 1:
		return kit.Usage("a target is one folder")
	case to == nil && i < 0:
		return kit.Usage("there is no target %s", name).WithHint("`showhow settings` lists them")
	case to == nil:
		v.Targets = slices.Delete(v.Targets, i, i+1)
	case i < 0:
		v.Targets = append(v.Targets, client.SettingsTarget{Name: name, Dir: to[0]})
	default:
		v.Targets[i].Dir = to[0]
	}
	return nil
}

// setting changes one value.
type setting struct {
	set   func(v *client.SettingsValues, to []string) error
	reset func(v *client.SettingsValues, def config.Config)
}

// settings are all settings except the targets, which have names of their own, by their keys in config.toml.
var settings = map[string]*setting{
	"memory": textSetting(func(v *client.SettingsValues) *string { return &v.Memory }, func(d config.Config) string { return d.Memory }),
	"agent_display_name": textSetting(func(v *client.SettingsValues) *string { return &v.AgentDisplayName },
		func(d config.Config) string { return d.AgentDisplayName }),
	"agent_command": {
		set: func(v *client.SettingsValues, to []string) error { v.AgentCommand = to; return nil },
		reset: func(v *client.SettingsValues, d config.Config) {
			v.AgentCommand = append([]string{}, d.AgentCommand...)
		},
	},
	"idle_exit_minutes": {
		set: func(v *client.SettingsValues, to []string) (err error) {
			if v.IdleExitMinutes, err = strconv.Atoi(strings.Join(to, " ")); err != nil {
				return kit.Usage("idle_exit_minutes is a whole number from 0 to 1440")
			}
			return nil
		},
		reset: func(v *client.SettingsValues, d config.Config) { v.IdleExitMinutes = d.IdleExitMinutes },
	},
	"targets": {
		set: func(*client.SettingsValues, []string) error {
			return kit.Usage("name one target").WithHint("showhow settings set targets.NAME FOLDER")
		},
		reset: func(v *client.SettingsValues, d config.Config) {
			v.Targets = []client.SettingsTarget{}
			for _, t := range d.Targets {
				v.Targets = append(v.Targets, client.SettingsTarget(t))
			}
		},
	},
	"browser.path": textSetting(func(v *client.SettingsValues) *string { return &v.Browser.Path }, func(d config.Config) string {
		return d.Browser.Path
	}),
	"browser.headless": flagSetting(func(v *client.SettingsValues) *bool { return &v.Browser.Headless }, func(d config.Config) bool {
		return d.Browser.Headless
	}),
	"overlay.show": flagSetting(func(v *client.SettingsValues) *bool { return &v.Overlay.Show }, func(d config.Config) bool {
		return d.Overlay.Show
	}),
	"registries.require_signature": flagSetting(func(v *client.SettingsValues) *bool { return &v.Registries.RequireSignature },
		func(d config.Config) bool { return d.Registries.RequireSignature }),
	"overlay.pause_key": textSetting(func(v *client.SettingsValues) *string { return &v.Overlay.PauseKey }, func(d config.Config) string {
		return d.Overlay.PauseKey
	}),
	"model.url": textSetting(func(v *client.SettingsValues) *string { return &v.Model.URL }, func(d config.Config) string {
		return d.Model.URL
	}),
	"model.name": textSetting(func(v *client.SettingsValues) *string { return &v.Model.Name }, func(d config.Config) string {
		return d.Model.Name
	}),
	"model.key_env": textSetting(func(v *client.SettingsValues) *string { return &v.Model.KeyEnv }, func(d config.Config) string {
		return d.Model.KeyEnv
	}),
	"model.key_keychain": textSetting(func(v *client.SettingsValues) *string { return &v.Model.KeyKeychain }, func(d config.Config) string {
		return d.Model.KeyKeychain
	}),
}

// settingLines are the names, four to a line.
func settingLines() (lines []string) {
	for some := range slices.Chunk(settingNames(), 4) {
		lines = append(lines, "  "+strings.Join(some, ", "))
	}
	return lines
}

func settingNames() []string { return slices.Sorted(maps.Keys(settings)) }

func textSetting(at func(*client.SettingsValues) *string, def func(config.Config) string) *setting {
	return &setting{
		set:   func(v *client.SettingsValues, to []string) error { *at(v) = strings.Join(to, " "); return nil },
		reset: func(v *client.SettingsValues, d config.Config) { *at(v) = def(d) },
	}
}

func flagSetting(at func(*client.SettingsValues) *bool, def func(config.Config) bool) *setting {
	return &setting{
		set: func(v *client.SettingsValues, to []string) error {
			b, err := strconv.ParseBool(strings.Join(to, " "))
			if err != nil {
				return kit.Usage("say true or false")
			}
			*at(v) = b
			return nil
		},
		reset: func(v *client.SettingsValues, d config.Config) { *at(v) = def(d) },
	}
}
