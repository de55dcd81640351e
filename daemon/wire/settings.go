package wire

// SettingsValues are what a person may set; config.toml holds those that differ from the defaults.
type SettingsValues struct {
	Memory           string             `json:"memory" maxLength:"400" doc:"Root of the canonical files."`
	AgentDisplayName string             `json:"agent_display_name" maxLength:"80" doc:"What to call the agent in texts for people; empty says 'the agent'."`
	Targets          []SettingsTarget   `json:"targets" maxItems:"20" doc:"Skill folders of agents that installed abilities are projected into."`
	AgentCommand     []string           `json:"agent_command" maxItems:"200" maxLength:"1000" doc:"The agent that practises when no command is given; a program outside the system's folders by its absolute path."`
	Browser          SettingsBrowser    `json:"browser"`
	Model            SettingsModel      `json:"model"`
	Overlay          SettingsOverlay    `json:"overlay"`
	Registries       SettingsRegistries `json:"registries,omitzero"`
	Outlook          []SettingsOutlook  `json:"outlook,omitempty" maxItems:"50" doc:"What may be written in Outlook for macOS, by account; a person is asked before each write all the same."`
	IdleExitMinutes  int                `json:"idle_exit_minutes" minimum:"0" maximum:"1440" doc:"The daemon exits after this long without work; 0 never."`
}

// SettingsTarget is one agent's skill folder.
type SettingsTarget struct {
	Name string `json:"name" minLength:"1" maxLength:"40"`
	Dir  string `json:"dir" minLength:"1" maxLength:"400" doc:"absolute, or below ~/"`
	// Skills is how the agent gets skills.
	Skills string `json:"skills,omitempty" enum:"files,mcp,both" doc:"files: copies in the folder; mcp: over MCP, without copies; absent: both"`
}

// SettingsBrowser is how the managed browser is started.
type SettingsBrowser struct {
	Path     string `json:"path" maxLength:"400" doc:"The Chromium to use; empty looks for one."`
	Headless bool   `json:"headless" doc:"Start it without a window, for machines without a display."`
}

// SettingsModel is the language model that may improve a draft's wording.
type SettingsModel struct {
	URL         string `json:"url" maxLength:"300" doc:"An OpenAI-compatible API; empty: none."`
	Name        string `json:"name" maxLength:"120" doc:"The model to ask for."`
	KeyEnv      string `json:"key_env" maxLength:"120" doc:"The variable of the daemon's environment that holds the API key."`
	KeyKeychain string `json:"key_keychain" maxLength:"120" doc:"The keychain entry that holds the API key."`
}

// SettingsOverlay configures the small always-on-top window that shows that something is watched.
type SettingsOverlay struct {
	Show     bool   `json:"show" doc:"Show it whenever capture begins; X11 only."`
	PauseKey string `json:"pause_key" maxLength:"60" doc:"Pauses and resumes from anywhere while the overlay is there; empty: none."`
}

// SettingsRegistries says what must hold of skills from registries.
type SettingsRegistries struct {
	RequireSignature bool `json:"require_signature" doc:"Pull only skills that somebody signed."`
}

// SettingsOutlook says what may be written in an account of Outlook for macOS. What is absent may be.
type SettingsOutlook struct {
	Account       string `json:"account" minLength:"1" maxLength:"200" doc:"its name or its address"`
	EmailSend     *bool  `json:"email_send,omitempty" doc:"send mail, and invitations"`
	CalendarWrite *bool  `json:"calendar_write,omitempty" doc:"make, change and delete events"`
}

// Settings are the saved settings.
type Settings struct {
	SettingsValues
	File          string   `json:"file" doc:"config.toml"`
	ContentHash   string   `json:"content_hash" doc:"of the file; a change names the one that it is based on"`
	AfterRestart  []string `json:"after_restart" doc:"settings that were changed and take effect when the daemon is restarted"`
	Mistake       string   `json:"mistake,omitempty" doc:"the file was changed by hand and does not read; these are the settings in force"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}

// SettingsChange replaces all settings.
type SettingsChange struct {
	SettingsValues
	ContentHash   string `json:"content_hash,omitempty" maxLength:"80" doc:"of the settings that were changed; absent: whatever is saved is replaced"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}
