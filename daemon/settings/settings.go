// Package settings manages config.toml while the daemon runs: it reads the file, changes it for a person, and says
// which changes the running daemon follows.
//
// Guaranteed: a change based on an older file never overwrites the edits of a person (ContentHash), nor a file that
// does not parse; the file is replaced whole or not at all. Agent's name, agent's command, idle time and overlay take
// effect with the next use (Current), and so does what may be written in Outlook; memory root, targets, browser and
// model when the daemon is started again.
//
// Not guaranteed: that Current notices a change made to the file by hand. Saved and Change read the file each time.
//
// To test against it: New with roots in a temporary folder.
package settings

import (
	"reflect"
	"sync"

	"showhow/daemon/wire"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/paths"
)

// Keeper manages the settings of one daemon.
type Keeper struct {
	roots paths.Roots

	mu      sync.Mutex
	started config.Config // what the daemon was made with
	current config.Config // the same with what may change while it runs
}

// New makes a keeper of the settings that a daemon is started with.
func New(r paths.Roots, c config.Config) *Keeper {
	return &Keeper{roots: r, started: c, current: c}
}

// Current returns the effective settings.
func (k *Keeper) Current() config.Config {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.current
}

// Saved returns the settings in config.toml.
func (k *Keeper) Saved() wire.Settings {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.saved()
}

func (k *Keeper) saved() wire.Settings {
	c, err := config.Load(k.roots)
	out := wire.Settings{File: k.roots.Config, SchemaVersion: 1}
	if err != nil {
		c, out.Mistake = k.current, fault.From(err).Message
	}
	out.ContentHash, _ = config.Hash(k.roots) // unreadable: Mistake explains it
	out.SettingsValues, out.AfterRestart = values(c), restartNeeded(k.started, c)
	return out
}

// Change replaces the settings.
func (k *Keeper) Change(r wire.SettingsChange) (wire.Settings, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, err := config.Load(k.roots); err != nil {
		return wire.Settings{}, invalid(err)
	}
	hash, err := config.Hash(k.roots)
	if err != nil {
		return wire.Settings{}, invalid(err)
	}
	if r.ContentHash != "" && r.ContentHash != hash {
		return wire.Settings{}, fault.New(fault.RevisionConflict,
			"config.toml was changed meanwhile").WithHint("look at the settings again, then repeat the change").
			WithDetail("content_hash", hash)
	}
	c := Config(r.SettingsValues).Expanded(k.roots)
	if err := config.Save(k.roots, c); err != nil {
		return wire.Settings{}, invalid(err)
	}
	k.current.AgentDisplayName, k.current.AgentCommand = c.AgentDisplayName, c.AgentCommand
	k.current.IdleExitMinutes, k.current.Overlay, k.current.Registries = c.IdleExitMinutes, c.Overlay, c.Registries
	k.current.Outlook = c.Outlook
	return k.saved(), nil
}

// invalid words a mistake in the file or the request for the API.
func invalid(err error) error {
	f := fault.From(err)
	if f.Code != fault.Usage {
		return err
	}
	hint := f.Hint
	if hint == "" {
		hint = "docs/config.md lists the settings"
	}
	return fault.Wrap(err, fault.InvalidRequest, f.Message).WithHint(hint)
}

// restartNeeded lists the settings that need a restart to take effect.
func restartNeeded(started, now config.Config) []string {
	out := []string{}
	for _, x := range []struct {
		name string
		a, b any
	}{{"browser", started.Browser, now.Browser}, {"memory", started.Memory, now.Memory}, {"model", started.Model, now.Model},
		{"targets", started.Targets, now.Targets}} {
		if !reflect.DeepEqual(x.a, x.b) {
			out = append(out, x.name)
		}
	}
	return out
}

func values(c config.Config) wire.SettingsValues {
	out := wire.SettingsValues{Memory: c.Memory, AgentDisplayName: c.AgentDisplayName, Targets: []wire.SettingsTarget{},
		AgentCommand: []string{},
		Browser:      wire.SettingsBrowser(c.Browser), Model: wire.SettingsModel(c.Model), Overlay: wire.SettingsOverlay(c.Overlay),
		Registries: wire.SettingsRegistries(c.Registries), IdleExitMinutes: c.IdleExitMinutes}
	for _, t := range c.Targets {
		out.Targets = append(out.Targets, wire.SettingsTarget(t))
	}
	for _, o := range c.Outlook {
		out.Outlook = append(out.Outlook, wire.SettingsOutlook(o))
	}
	out.AgentCommand = append(out.AgentCommand, c.AgentCommand...)
	return out
}

// Config converts the wire's values to a configuration.
func Config(v wire.SettingsValues) config.Config {
	c := config.Config{Memory: v.Memory, AgentDisplayName: v.AgentDisplayName, AgentCommand: v.AgentCommand,
		Browser: config.Browser(v.Browser), Model: config.Model(v.Model), Overlay: config.Overlay(v.Overlay),
		Registries: config.Registries(v.Registries), IdleExitMinutes: v.IdleExitMinutes}
	for _, t := range v.Targets {
		c.Targets = append(c.Targets, config.Target(t))
	}
	for _, o := range v.Outlook {
		c.Outlook = append(c.Outlook, config.Outlook(o))
	}
	return c
}
