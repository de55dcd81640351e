package capture

// Scope is what a session may watch: default deny (design.md 6, decisions A4).
// A site is an exact host, "*.example.com" for its subdomains, ":port" optional. A shell is one tty ("pts/3").
type Scope struct {
	Apps    []string `json:"apps" maxItems:"50"`
	Sites   []string `json:"sites" maxItems:"50"`
	Folders []string `json:"folders" maxItems:"50"`
	Shells  []string `json:"shells" maxItems:"50"`
	Devices []string `json:"devices" maxItems:"50"`
}

// Empty reports whether the scope names nothing.
func (s Scope) Empty() bool {
	return len(s.Apps)+len(s.Sites)+len(s.Folders)+len(s.Shells)+len(s.Devices) == 0
}
