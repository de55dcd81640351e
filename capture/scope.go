package capture

// Scope is what a session may watch: default deny (decisions A4).
// A site is an exact host, "*.example.com" for its subdomains, ":port" optional. A shell is one tty ("pts/3").
type Scope struct {
	Apps    []string `json:"apps" required:"false" maxItems:"50" maxLength:"160"`
	Sites   []string `json:"sites" required:"false" maxItems:"50" maxLength:"260"`
	Folders []string `json:"folders" required:"false" maxItems:"50" maxLength:"1000"`
	Shells  []string `json:"shells" required:"false" maxItems:"50" maxLength:"80"`
	Devices []string `json:"devices" required:"false" maxItems:"50" maxLength:"160"`
}

// Empty reports whether the scope names nothing.
func (s Scope) Empty() bool {
	return len(s.Apps)+len(s.Sites)+len(s.Folders)+len(s.Shells)+len(s.Devices) == 0
}
