package using

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/clock"
)

// configuring is what a call of `ability configure` asks for.
type configuring struct {
	prefer            bool
	packs, connectors []string
	unset             []string
}

func abilityConfigure(e *env) *cobra.Command {
	var ask configuring
	cmd := e.Call("configure [ABILITY] [NAME=VALUE...]", "Show what is configured for an ability, and change it",
		func(ctx context.Context, c *client.Client, args []string) error {
			return e.configure(ctx, c, ask, args)
		})
	cmd.Args = cobra.ArbitraryArgs
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	cmd.Long = `Agents read the values with the ability ("configured") and use them for inputs that nobody told them. Without ABILITY the
values are your preferences for every ability. A more particular one wins: your preferences for all, what is configured for
the ability, your preferences for the ability (--prefer).

A value is a number, true, false or a list when it reads as one in JSON, else text. Secrets are refused: keep them with
` + "`showhow credential add`" + `. A wrapper or a script calls this instead of writing a file; with an agent's token it may
change an ability's values, and nothing else.`
	f := cmd.Flags()
	f.BoolVar(&ask.prefer, "prefer", false, "the values are your preferences: they win over what is configured for the ability")
	f.StringArrayVar(&ask.unset, "unset", nil, "forget the value of `NAME`")
	f.StringArrayVar(&ask.packs, "pack", nil, "a support pack and the folder that holds it, `NAME=FOLDER`; NAME= unbinds it")
	f.StringArrayVar(&ask.connectors, "connector", nil,
		"an MCP connector and whether abilities may use it, `NAME=allow|deny`; NAME= forgets the policy")
	return kit.With(cmd, "showhow ability configure export-orders format=csv columns='[\"id\",\"total\"]'",
		"showhow ability configure export-orders --unset format", "showhow ability configure currency=EUR",
		"showhow ability configure --pack csv-tools=~/packs/csv-tools --connector tracker=deny")
}

func (e *env) configure(ctx context.Context, c *client.Client, ask configuring, args []string) error {
	id := ""
	if len(args) > 0 && !strings.Contains(args[0], "=") {
		id, args = args[0], args[1:]
	}
	intents, err := e.intents(ask, id == "", args)
	if err != nil {
		return err
	}
	if len(intents) > 0 {
		capability := ""
		if id != "" {
			a, err := c.Ability(ctx, id)
			if err != nil {
				return err
			}
			capability = a.PrimaryCapabilityID
		}
		for _, in := range intents {
			in.CapabilityID = capability
			if _, err := c.SubmitConfigIntent(ctx, in); err != nil {
				return err
			}
		}
	}
	now, err := c.Configuration(ctx, id)
	if err != nil {
		return err
	}
	return e.Show(func() { e.sayConfiguration(now) })
}

// intents are the changes that a call asks for, one for each target.
func (e *env) intents(ask configuring, forAll bool, args []string) (out []client.ConfigIntent, err error) {
	values, target := map[string]any{}, "skill_config"
	if ask.prefer || forAll {
		target = "user_preference"
	}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			return nil, kit.Usage("%q is no NAME=VALUE", arg)
		}
		values[name] = typed(value)
	}
	for _, name := range ask.unset {
		if _, set := values[name]; set {
			return nil, kit.Usage("%s is set and unset at once", name)
		}
		values[name] = nil
	}
	add := func(target string, payload map[string]any) {
		if len(payload) > 0 {
			out = append(out, client.ConfigIntent{IntentID: clock.NewID(), Target: target, Payload: payload, RequestedBy: e.requestedBy(),
				CorrelationID: "cli", CreatedAt: clock.Now(), SchemaVersion: 1})
		}
	}
	add(target, values)
	for target, pairs := range map[string][]string{"support_pack_binding": ask.packs, "connector_policy": ask.connectors} {
		payload := map[string]any{}
		for _, pair := range pairs {
			name, value, ok := strings.Cut(pair, "=")
			if !ok || name == "" {
				return nil, kit.Usage("%q is no NAME=VALUE", pair)
			}
			payload[name] = nil
			if value != "" && target == "support_pack_binding" {
				if payload[name], err = e.Whole(value); err != nil {
					return nil, err
				}
			} else if value != "" {
				payload[name] = value
			}
		}
		add(target, payload)
	}
	return out, nil
}

// requestedBy is the author of a change, as the record names it.
func (e *env) requestedBy() string {
	if e.Getenv("SHOWHOW_TOKEN") != "" {
		return "wrapper"
	}
	return "ui"
}

// typed parses a value as JSON if it is a number, true, false, a list or an object; otherwise it is text.
func typed(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil || v == nil {
		return text
	}
	if _, quoted := v.(string); quoted {
		return text
	}
	return v
}

func (e *env) sayConfiguration(c client.Configuration) {
	if len(c.Values)+len(c.SupportPacks)+len(c.Connectors) == 0 {
		e.Say("nothing is configured")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(c.Values)) {
		e.Say("%-20s %s%s", name, valueText(c.Values[name]), source(c, name))
	}
	for _, name := range slices.Sorted(maps.Keys(c.SupportPacks)) {
		e.Say("support pack %-7s %s", name, e.Roots.Tilde(c.SupportPacks[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Connectors)) {
		e.Say("connector %-10s %s", name, c.Connectors[name])
	}
}

// valueText formats a value as this command would accept it.
func valueText(v any) string {
	if text, ok := v.(string); ok {
		return kit.PlainText(text)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

func configuredText(values map[string]any) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, name+"="+valueText(values[name]))
	}
	return strings.Join(out, "; ")
}

// source says where a value comes from if not from the ability's own configuration.
func source(c client.Configuration, name string) string {
	for _, d := range slices.Backward(c.Documents) {
		if _, ok := d.Config[name]; !ok || d.Target != "skill_config" && d.Target != "user_preference" {
			continue
		}
		switch {
		case d.Target == "skill_config":
			return ""
		case d.CapabilityID != "":
			return fmt.Sprintf("  (%s)", "your preference for it")
		case c.CapabilityID != "":
			return fmt.Sprintf("  (%s)", "your preference for every ability")
		}
	}
	return ""
}
