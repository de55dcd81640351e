// Package preset knows well-known services, as data: where they are, how a person signs in, and what their tools do.
//
// Guarantees: what a preset says of tools counts only for the service at its address, or for the package that it names;
// where a service calls a tool more harmful than its preset does, the stricter of the two holds. A service without a
// preset works as before.
//
// Not guaranteed: that an address or a package is still the right one; a person sees both before anything connects.
//
// Packages registry and api import it. To test against it: Of, and the data itself.
package preset

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
	"showhow/internal/mcpconfig"
)

//go:embed presets.json
var data []byte

// Preset is one service.
type Preset struct {
	wire.MCPPreset
	Tools map[string]connector.Class `json:"tools"` // what is known of its tools
}

// All are the presets, by id.
var All = sync.OnceValue(func() (out []Preset) {
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err) // a test reads it
	}
	return out
})

// List is All for the API.
func List() wire.MCPPresetList {
	out := wire.MCPPresetList{Presets: []wire.MCPPreset{}, SchemaVersion: 1}
	for _, p := range All() {
		out.Presets = append(out.Presets, p.MCPPreset)
	}
	return out
}

// Of is the preset of a registered service.
func Of(e connector.Entry) (Preset, bool) {
	i := slices.IndexFunc(All(), func(p Preset) bool {
		if b := e.LocalBridge; b != nil && b.Package != nil && len(p.Command) > 0 {
			w, err := mcpconfig.PackageOf(p.Command)
			return err == nil && w.Name == b.Package.Name && (b.Package.Kind == w.Kind || b.Package.Kind == "" && w.Kind == mcpconfig.NPM)
		}
		return p.EndpointURL != "" && p.EndpointURL == e.EndpointURL
	})
	if i < 0 {
		return Preset{}, false
	}
	return All()[i], true
}

// Classify gives a service's tools the classes that its preset knows.
func Classify(e connector.Entry, tools []connector.Definition) []connector.Definition {
	p, ok := Of(e)
	if !ok {
		return tools
	}
	tools = slices.Clone(tools)
	for i := range tools {
		class, known := p.Tools[tools[i].Name]
		if !known || tools[i].Contradicts(class) && !class.StricterThan(tools[i].Class) {
			continue
		}
		tools[i].Class, tools[i].Why = class, "it is known what this tool of "+p.Title+" does"
	}
	return tools
}
