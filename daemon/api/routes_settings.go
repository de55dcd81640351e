package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// settingsRoutes read and change config.toml (decisions E11).
func (s *Server) settingsRoutes() {
	register(s, get("get-settings", "/api/settings", tagDaemon, "The settings as they are saved, and which of them wait for a restart",
		userReads),
		func(context.Context, *none, *none) (*reply[wire.Settings], error) {
			return answer(s.deps.Settings.Saved()), nil
		})
	access := userWrites.confirmed("change-settings")
	access.When = "another program would be started, another model asked, or another folder written to"
	registerConfirmed(s, op{id: "set-settings", method: http.MethodPut, path: "/api/settings", tag: tagDaemon, access: access,
		summary: "Replace the settings; config.toml keeps what differs from the defaults", errors: []fault.Code{fault.RevisionConflict}},
		func(_ context.Context, _ *none, b *wire.SettingsChange) (Subject, bool, error) {
			return s.settingsSubject(b)
		},
		func(_ context.Context, _ *none, b *wire.SettingsChange) (*reply[wire.Settings], error) {
			return answered(s.deps.Settings.Change(*b))
		})
}

// settingsSubject is what a person confirms: the programs, folders and addresses that the change names anew.
func (s *Server) settingsSubject(b *wire.SettingsChange) (Subject, bool, error) {
	old, now := s.deps.Settings.Saved().SettingsValues, b.SettingsValues
	x := Subject{ID: "settings"}
	var bound []any
	grave := func(same bool, value any, format string, args ...any) {
		if !same {
			x = x.say(format, args...)
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
	if len(bound) == 0 {
		return x, false, nil
	}
	text, err := json.Marshal(bound)
	if err != nil {
		return x, false, err
	}
	x.ContentHash = bind(string(text))
	return x, true, nil
}

func targetList(ts []wire.SettingsTarget) string {
	var out []string
	for _, t := range ts {
		out = append(out, t.Name+" ("+t.Dir+")")
	}
	return strings.Join(out, ", ")
}

func orNothing(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
