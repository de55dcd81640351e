package workflow

// Way is how something on a surface is done: the control surface that is preferred, and those to fall back on, the
// most semantic first (baseline 1.1E, 1.1Q).
type Way struct {
	Prefer string
	Then   []string
}

// WayOf is the way of a step's surface. Whatever is none of those is a tool of a connector.
func WayOf(surface string) Way {
	switch surface {
	case OnBrowser:
		return Way{"native_openclaw_browser", []string{"page_knowledge_ui", "raw_ui"}}
	case OnProgram:
		return Way{"native_openclaw_tool", []string{"raw_ui"}}
	case OnShell, OnAgent:
		return Way{Prefer: "native_openclaw_tool"}
	case OnMIDI:
		return Way{Prefer: "midi_binding"}
	}
	return Way{Prefer: "mcp_connector"}
}
