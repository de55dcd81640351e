package ability

import (
	"reflect"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// BuiltIn is a skill that comes with the program. Its files are the program's own: nobody approves them, they are in no
// folder where they could be changed, and the next version of the program brings its own.
type BuiltIn struct {
	Title            string
	Family           string
	Bundle           skill.Bundle
	Manifests        []skill.Manifest // of its capabilities; the first is what the skill as a whole can do
	Checkpoints      []string         // ids
	RequiredAdapters []string
	// RequiredProviders are services of which a connector has to be connected, whatever its name is ("m365").
	RequiredProviders []string
}

// manifests are the manifests of all of an ability's capabilities, that of the ability itself first.
func (a Ability) manifests() []skill.Manifest {
	return append([]skill.Manifest{a.Manifest}, a.Capabilities...)
}

// about is the ability as its sidecar for one of its capabilities tells of it.
func (a Ability) about(m skill.Manifest) Ability {
	if m.CapabilityID != a.CapabilityID {
		a.CapabilityID, a.Metadata = m.CapabilityID, map[string]any{"summary": m.Title, "schema_version": 1}
	}
	return a
}

// ownToDecide refuses a change that makes no sense for a skill that comes with the program.
func (a Ability) ownToDecide() error {
	return OwnToDecide(a.BuiltIn, a.Slug)
}

// OwnToDecide refuses what makes no sense for a skill that comes with the program. Callers that ask a person for a word
// ask this first.
func OwnToDecide(builtIn bool, slug string) error {
	if !builtIn {
		return nil
	}
	return fault.New(fault.InstallLaneDenied, "the skill "+slug+" comes with Showhow: it is not approved, replaced, shared or removed").
		WithHint("showhow ability deactivate " + slug + " switches it off")
}

// OwnToGrant refuses to change what a skill that comes with the program may use. Which agents have it is a person's to
// say.
func OwnToGrant(builtIn bool, slug string, was, now Permissions) error {
	was, now = normal(was), normal(now)
	was.Agents, now.Agents = nil, nil
	if !builtIn || reflect.DeepEqual(was, now) {
		return nil
	}
	return fault.New(fault.InstallLaneDenied, "the skill "+slug+" comes with Showhow: what it may use changes only when Showhow does").
		WithHint("which agents have it can be changed; showhow ability deactivate " + slug + " switches it off")
}
