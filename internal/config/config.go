// Package config reads config.toml, the few settings of a person. Every setting has a default; a missing file is
// fine; an unknown or invalid key is an error that names the key and the line, so that a typo is not silently
// ignored.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"showhow/internal/fault"
	"showhow/internal/paths"
)

// Config is the content of config.toml.
type Config struct {
	Memory           string     `toml:"memory" json:"memory" doc:"Root of the canonical files; default <data>/memory."`
	AgentDisplayName string     `toml:"agent_display_name" json:"agent_display_name" maxLength:"80" doc:"What to call the agent in texts for people; empty says 'the agent'."`
	Targets          []Target   `toml:"targets" json:"targets" doc:"Skill folders of agents that installed abilities are projected into."`
	AgentCommand     []string   `toml:"agent_command" json:"agent_command" maxLength:"1000" doc:"The agent that practises when no command is given, for example [\"claude\", \"-p\", \"read .showhow/brief.md and do it\"]; a program outside the system's folders by its absolute path."`
	Browser          Browser    `toml:"browser" json:"browser"`
	Model            Model      `toml:"model" json:"model"`
	Overlay          Overlay    `toml:"overlay" json:"overlay"`
	Registries       Registries `toml:"registries" json:"registries"`
	Outlook          []Outlook  `toml:"outlook" json:"outlook" doc:"What may be written in Outlook, by account. You are asked before each write; what is false here is refused."`
	IdleExitMinutes  int        `toml:"idle_exit_minutes" json:"idle_exit_minutes" minimum:"0" maximum:"1440" doc:"The daemon exits after this long without work; 0 never."`
}

// Target is one agent's skill folder.
type Target struct {
	Name string `toml:"name" json:"name" maxLength:"40"`
	Dir  string `toml:"dir" json:"dir" maxLength:"400"`
	// Skills is how the agent gets skills.
	Skills string `toml:"skills,omitempty" json:"skills,omitempty" enum:"files,mcp,both" doc:"How its agent gets skills: files, mcp or both (default)."`
}

// The ways in which an agent gets skills; "" is Both.
const (
	SkillFiles = "files" // copies in its folder
	SkillMCP   = "mcp"   // at the door, no copies
	SkillBoth  = "both"
)

// Browser says how to start the managed browser.
type Browser struct {
	Path     string `toml:"path" json:"path" maxLength:"400" doc:"The Chromium to use; empty looks for one."`
	Headless bool   `toml:"headless" json:"headless" doc:"Start it without a window, for machines without a display."`
}

// Model is the language model that may reword drafts at the person's request. Everything works without one.
type Model struct {
	URL         string `toml:"url" json:"url" maxLength:"300" doc:"An OpenAI-compatible API, up to and without /chat/completions; empty: none. One that is not on this machine needs https and the person's consent for each session."`
	Name        string `toml:"name" json:"name" maxLength:"120" doc:"The model to ask for."`
	KeyEnv      string `toml:"key_env" json:"key_env" maxLength:"120" doc:"The variable of the daemon's environment that holds the API key."`
	KeyKeychain string `toml:"key_keychain" json:"key_keychain" maxLength:"120" doc:"The keychain entry (service; user name showhow) that holds the API key."`
}

// Overlay is the small always-on-top window that is shown while something is observed.
type Overlay struct {
	Show     bool   `toml:"show" json:"show" doc:"Show it whenever capture begins; X11 only."`
	PauseKey string `toml:"pause_key" json:"pause_key" maxLength:"60" doc:"Pauses and resumes from anywhere while the overlay is there, such as ctrl+alt+p; empty: none."`
}

// Registries says what must hold of what is pulled.
type Registries struct {
	RequireSignature bool `toml:"require_signature" json:"require_signature" doc:"Pull only skills that somebody signed."`
}

// Outlook says what may be written in an account of Outlook for macOS. What is left out may be.
type Outlook struct {
	Account       string `toml:"account" json:"account" maxLength:"200" doc:"Its name or its address."`
	EmailSend     *bool  `toml:"email_send,omitempty" json:"email_send,omitempty" doc:"Send mail, and invitations."`
	CalendarWrite *bool  `toml:"calendar_write,omitempty" json:"calendar_write,omitempty" doc:"Make, change and delete events."`
}

// OutlookMay says what may be written in the account of Outlook that has these names.
func (c Config) OutlookMay(names ...string) (emailSend, calendarWrite bool) {
	emailSend, calendarWrite = true, true
	for _, o := range c.Outlook {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, o.Account) }) {
			continue
		}
		emailSend = emailSend && (o.EmailSend == nil || *o.EmailSend)
		calendarWrite = calendarWrite && (o.CalendarWrite == nil || *o.CalendarWrite)
	}
	return emailSend, calendarWrite
}

// Default is the configuration if there is no file.
func Default(r paths.Roots) Config {
	return Config{
		Memory:          r.Memory,
		Targets:         []Target{{Name: "openclaw", Dir: filepath.Join(r.Home, ".openclaw", "workspace", "skills")}},
		IdleExitMinutes: 10,
		Overlay:         Overlay{Show: true},
	}
}

// Load reads r.Config over the defaults. Paths may start with "~/".
func Load(r paths.Roots) (Config, error) {
	c := Default(r)
	b, err := os.ReadFile(r.Config)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fault.Wrap(err, fault.Usage, "config.toml cannot be read").WithHint("check its permissions")
	}
	d := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fault.Wrap(err, fault.Usage, "config.toml has a mistake"+where(err)).WithHint(
			"docs/config.md lists the settings; fix or remove the file")
	}
	c = c.Expanded(r)
	return c, c.check()
}

// Expanded is c with paths that start with "~/" made absolute.
func (c Config) Expanded(r paths.Roots) Config {
	c.Memory = expand(r, c.Memory)
	c.Targets = slices.Clone(c.Targets)
	for i := range c.Targets {
		c.Targets[i].Dir = expand(r, c.Targets[i].Dir)
	}
	return c
}

// check refuses values with which no daemon could start.
func (c Config) check() error {
	names := map[string]bool{}
	for i, t := range c.Targets {
		if t.Name == "" || !filepath.IsAbs(t.Dir) {
			return fault.Newf(fault.Usage, "config.toml: target %d needs a name and an absolute dir (or one under ~/)", i+1)
		}
		if names[t.Name] {
			return fault.Newf(fault.Usage, "config.toml: two targets are named %s", t.Name)
		}
		names[t.Name] = true
		if !slices.Contains([]string{"", SkillFiles, SkillMCP, SkillBoth}, t.Skills) {
			return fault.Newf(fault.Usage, "config.toml: skills of target %s is files, mcp or both", t.Name)
		}
	}
	for i, o := range c.Outlook {
		if strings.TrimSpace(o.Account) == "" {
			return fault.Newf(fault.Usage, "config.toml: outlook %d needs an account", i+1)
		}
	}
	if !filepath.IsAbs(c.Memory) {
		return fault.New(fault.Usage, "config.toml: memory must be an absolute path (or one under ~/)")
	}
	return nil
}

func where(err error) string {
	var sm *toml.StrictMissingError
	if errors.As(err, &sm) && len(sm.Errors) > 0 {
		row, _ := sm.Errors[0].Position()
		return fmt.Sprintf(": unknown setting %s in line %d", strings.Join(sm.Errors[0].Key(), "."), row)
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		row, col := de.Position()
		return fmt.Sprintf(" in line %d, column %d", row, col)
	}
	return ""
}

func expand(r paths.Roots, p string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok {
		return filepath.Join(r.Home, rest)
	}
	return p
}
