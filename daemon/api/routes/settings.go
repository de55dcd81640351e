package routes

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Settings is the part of *settings.Keeper that the routes need.
type Settings interface {
	Saved() wire.Settings
	Change(r wire.SettingsChange) (wire.Settings, error)
}

// SettingsRoutes are the routes of the settings.
type SettingsRoutes struct {
	Settings Settings
}

// Register adds the routes. They read and change config.toml (decisions E11).
func (rs SettingsRoutes) Register(g *engine.Engine) {
	engine.Register(g, engine.Get("get-settings", "/api/settings", TagDaemon,
		"The settings as they are saved, and which of them wait for a restart",
		engine.UserReads),
		func(context.Context, *engine.None, *engine.None) (*engine.Reply[wire.Settings], error) {
			return engine.Answer(rs.Settings.Saved()), nil
		})
	access := engine.UserWrites.Confirmed("change-settings")
	access.When = "another program would be started, another model asked, or another folder written to"
	engine.RegisterConfirmed(g, engine.Op{ID: "set-settings", Method: http.MethodPut, Path: "/api/settings", Tag: TagDaemon, Access: access,
		Summary: "Replace the settings; config.toml keeps what differs from the defaults", Errors: []fault.Code{fault.RevisionConflict}},
		func(_ context.Context, _ *engine.None, b *wire.SettingsChange) (presence.Subject, bool, error) {
			return rs.settingsSubject(b)
		},
		func(_ context.Context, _ *engine.None, b *wire.SettingsChange) (*engine.Reply[wire.Settings], error) {
			return engine.Answered(rs.Settings.Change(*b))
		})
}

// settingsSubject is what a person confirms: the programs, folders and addresses that are new in the change.
func (rs SettingsRoutes) settingsSubject(b *wire.SettingsChange) (presence.Subject, bool, error) {
	old, now := rs.Settings.Saved().SettingsValues, b.SettingsValues
	x := presence.Subject{ID: "settings"}
	var bound []any
	grave := func(same bool, value any, format string, args ...any) {
		if !same {
			x = x.Say(format, args...)
			bound = append(bound, value)
		}
	}
	grave(strings.Join(old.AgentCommand, "\x00") == strings.Join(now.AgentCommand, "\x00"), now.AgentCommand, "Who practises: %s",
		orNothing(strings.Join(now.AgentCommand, " ")))
	grave(old.Browser.Path == now.Browser.Path, now.Browser.Path, "The browser's program: %s", orNothing(now.Browser.Path))
	grave(old.Memory == now.Memory, now.Memory, "The memory root: %s", now.Memory)
	grave(old.Model == now.Model, now.Model, "The model: %s", orNothing(strings.TrimSpace(now.Model.URL+" "+now.Model.Name)))
	grave(len(old.Targets) == 0 && len(now.Targets) == 0 || reflect.DeepEqual(old.Targets, now.Targets), now.Targets, "Skills go into: %s",
		orNothing(targetList(now.Targets)))
	grave(reflect.DeepEqual(old.Outlook, now.Outlook), now.Outlook, "Switched off in Outlook: %s", orNothing(switchedOff(now.Outlook)))
	if len(bound) == 0 {
		return x, false, nil
	}
	text, err := json.Marshal(bound)
	if err != nil {
		return x, false, err
	}
	x.ContentHash = presence.Bind(string(text))
	return x, true, nil
}

func targetList(ts []wire.SettingsTarget) string {
	var out []string
	for _, t := range ts {
		out = append(out, t.Name+" ("+t.Dir+")")
	}
	return strings.Join(out, ", ")
}

func switchedOff(all []wire.SettingsOutlook) string {
	var out []string
	for _, o := range all {
		if o.EmailSend != nil && !*o.EmailSend {
			out = append(out, "sending from "+o.Account)
		}
		if o.CalendarWrite != nil && !*o.CalendarWrite {
			out = append(out, "changes of the calendar of "+o.Account)
		}
	}
	return strings.Join(out, ", ")
}

func orNothing(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
