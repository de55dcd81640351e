package ability

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/internal/fault"
)

// Targets of a configuration intent: what its keys name.
const (
	configSkill      = "skill_config"         // inputs of a skill and their values, as a wrapper asks for them
	configPreference = "user_preference"      // the same, as the user wants them: they win
	configPacks      = "support_pack_binding" // support packs and the folders that hold them
	configConnectors = "connector_policy"     // connectors, allowed or denied
)

var configTargets = []string{configSkill, configPreference, configPacks, configConnectors}

// The values of a connector policy.
const (
	connectorAllowed = "allow"
	connectorDenied  = "deny"
)

// checkPayload refuses what the reader of a target could not use.
func checkPayload(in ConfigIntent) error {
	for _, key := range slices.Sorted(maps.Keys(in.Payload)) {
		value := in.Payload[key]
		if value == nil { // removes the key
			continue
		}
		text, isText := value.(string)
		switch in.Target {
		case configPacks:
			if !isText || !filepath.IsAbs(text) {
				return fault.New(fault.InvalidRequest, fmt.Sprintf("the support pack %q is bound to no absolute path", key))
			}
			if _, err := os.Stat(text); err != nil {
				return fault.New(fault.InvalidRequest, fmt.Sprintf("nothing that can be read stands where the support pack %q is bound to", key)).
					WithHint("put the pack there first")
			}
		case configConnectors:
			if text != connectorAllowed && text != connectorDenied {
				return fault.New(fault.InvalidRequest, fmt.Sprintf("the policy for the connector %q is neither allow nor deny", key))
			}
		}
	}
	return nil
}

// configuration is the effective configuration of a capability, the more specific over the more general; "" asks for
// the general part.
func configuration(all []ConfigRecord, capabilityID string) Configuration {
	out := Configuration{CapabilityID: capabilityID, Values: map[string]any{}, SupportPacks: map[string]string{},
		Connectors: map[string]string{}, Documents: []ConfigDocument{}, SchemaVersion: 1}
	take := func(target, capabilityID string) {
		i := slices.IndexFunc(all, func(r ConfigRecord) bool { return r.Target == target && r.CapabilityID == capabilityID })
		if i < 0 {
			return
		}
		out.Documents = append(out.Documents, all[i].ConfigDocument)
		for k, v := range all[i].Config {
			switch text, _ := v.(string); target {
			case configPacks:
				out.SupportPacks[k] = text
			case configConnectors:
				out.Connectors[k] = text
			default:
				out.Values[k] = v
			}
		}
	}
	for _, target := range []string{configPreference, configPacks, configConnectors} {
		take(target, "")
	}
	if capabilityID == "" {
		return out
	}
	for _, target := range configTargets {
		take(target, capabilityID)
	}
	return out
}

// connectors lists the MCP servers whose tools an ability uses, sorted.
func connectors(a Ability) (out []string) {
	for _, tool := range a.Permissions.Tools {
		if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
			server, _, _ := strings.Cut(rest, "__")
			out = append(out, server)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// forbids returns why the configuration forbids an ability, "" if it does not.
func forbids(c Configuration, a Ability) (reason, code string) {
	for _, name := range connectors(a) {
		if c.Connectors[name] == connectorDenied {
			return fmt.Sprintf("the connector %q is not allowed for it", name), "connector_denied"
		}
	}
	for _, pack := range a.SupportPackRefs {
		if at := c.SupportPacks[pack]; at != "" {
			if _, err := os.Stat(at); err != nil {
				return fmt.Sprintf("its support pack %q is not where it was bound to", pack), "support_pack_missing"
			}
		}
	}
	return "", ""
}

// told is what agents get with an ability: values of its inputs, and where the packs that it refers to are kept. Both
// are nil when empty, as in a snapshot that was read back.
func told(c Configuration, a Ability) (values map[string]any, packs map[string]string) {
	if len(c.Values) > 0 {
		values = c.Values
	}
	for _, pack := range a.SupportPackRefs {
		if at := c.SupportPacks[pack]; at != "" {
			if packs == nil {
				packs = map[string]string{}
			}
			packs[pack] = at
		}
	}
	return values, packs
}

// Configuration is the effective configuration of an ability, by id or slug, or by the id of its capability; "" asks
// for the general part.
func (s *Settings) Configuration(ctx context.Context, id string) (out Configuration, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error {
		configs, err := tx.Configs()
		if err != nil {
			return err
		}
		if id == "" {
			out = configuration(configs, "")
			return nil
		}
		all, err := tx.Abilities()
		if err != nil {
			return err
		}
		i := find(all, id)
		if i < 0 {
			i = slices.IndexFunc(all, func(a Ability) bool { return a.CapabilityID == id })
		}
		if i < 0 {
			return notFound()
		}
		out = configuration(configs, all[i].CapabilityID)
		out.AbilityID = all[i].AbilityID
		return nil
	})
	return out, err
}

// SupportPack is where a pack that a capability refers to is kept, "" when it is bound to no place.
func (s *Settings) SupportPack(ctx context.Context, capabilityID, pack string) (at string, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error {
		configs, err := tx.Configs()
		at = configuration(configs, capabilityID).SupportPacks[pack]
		return err
	})
	return at, err
}
