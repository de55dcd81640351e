// Package version is the build's identity: `make build` stamps it, `go build` falls back to Go's build information.
package version

import "runtime/debug"

// Version and Commit are set by the linker: -X showhow/internal/version.Version=v1.2.3.
var (
	Version = ""
	Commit  = ""
)

// Info is the answer of `showhow version` and GET /api/version.
type Info struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	API     int    `json:"api"` // raised when a client of the previous number would misread an answer
}

// Get returns the build's identity.
func Get() Info {
	i := Info{Version: Version, Commit: Commit, API: 1}
	if b, ok := debug.ReadBuildInfo(); ok {
		i.Go = b.GoVersion
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" && i.Commit == "" {
				i.Commit = s.Value
			}
		}
	}
	if i.Version == "" {
		i.Version = "dev"
	}
	return i
}
