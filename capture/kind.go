package capture

import "showhow/daemon/wire"

// Kind is an adapter kind (DOC3 0C.22).
type Kind = wire.AdapterKind

const (
	BrowserDOM       Kind = "browser_dom"
	BrowserSnapshot  Kind = "browser_snapshot"
	AccessibilityUI  Kind = "accessibility_ui"
	KeyboardShortcut Kind = "keyboard_shortcut"
	TextEntry        Kind = "text_entry"
	MouseClick       Kind = "mouse_click"
	Clipboard        Kind = "clipboard"
	FileDialog       Kind = "file_dialog"
	ProcessLaunch    Kind = "process_launch"
	TerminalCommand  Kind = "terminal_command"
	MIDI             Kind = "midi"
	MCPReceipt       Kind = "mcp_receipt"
	WrapperReceipt   Kind = "wrapper_receipt"
)

// Kinds lists every kind in the order of the mission.
var Kinds = []Kind{BrowserDOM, BrowserSnapshot, AccessibilityUI, KeyboardShortcut, TextEntry, MouseClick, Clipboard,
	FileDialog, ProcessLaunch, TerminalCommand, MIDI, MCPReceipt, WrapperReceipt}

// Observation modes (DOC3 0C.1): whose work a session watches.
const (
	InsideAgent  = "inside_agent"  // receipt adapters only
	OutsideAgent = "outside_agent" // every other adapter
	MixedMode    = "mixed"
	NoMode       = "none"
)

// AdmitsKind reports whether an observation mode admits a kind (decisions A4).
func AdmitsKind(mode string, k Kind) bool {
	switch mode {
	case InsideAgent:
		return k.Inside()
	case OutsideAgent:
		return !k.Inside()
	case MixedMode:
		return true
	}
	return false
}

// ControlSurface is the surface through which an action was done (DOC2 0.2A).
type ControlSurface string

const (
	SurfacePage    ControlSurface = "page_knowledge_ui"
	SurfaceRawUI   ControlSurface = "raw_ui"
	SurfaceWrapper ControlSurface = "wrapper_script"
	SurfaceMIDI    ControlSurface = "midi_binding"
	SurfaceMCP     ControlSurface = "mcp_server"
	// SurfaceConnector is a connector's tool, called through Showhow itself (the door).
	SurfaceConnector ControlSurface = "mcp_connector"
)

// Verb is what was done, in adapter-neutral words.
type Verb string

const (
	Click       Verb = "click"
	DoubleClick Verb = "double_click"
	RightClick  Verb = "right_click"
	Type        Verb = "type"   // free text entered into a field: one event per field visit, not per key
	Select      Verb = "select" // an option chosen
	Check       Verb = "check"
	Uncheck     Verb = "uncheck"
	Press       Verb = "press" // a key or shortcut that means something by itself (Enter, Escape, ctrl+s)
	Submit      Verb = "submit"
	Navigate    Verb = "navigate"
	NewTab      Verb = "new_tab"
	CloseTab    Verb = "close_tab"
	SwitchTab   Verb = "switch_tab"
	Upload      Verb = "upload"
	Download    Verb = "download"
	Dialog      Verb = "dialog"      // a native dialog was answered
	Run         Verb = "run"         // a command or program
	Play        Verb = "play"        // MIDI
	Call        Verb = "call"        // an agent's tool call
	Drag        Verb = "drag"        // Target dragged onto Drop
	Crash       Verb = "crash"       // a page or program ended by itself
	Activate    Verb = "activate"    // another window came to the front: evidence
	PageChange  Verb = "page_change" // a page shows something else, by itself or after an act: evidence of an effect
	FileChange  Verb = "file_change" // a file was created, changed, moved or removed: evidence of an effect
)
