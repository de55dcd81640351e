// Package web contains the pages of the app: the output of `npm run build` in /frontend (dist), embedded into the
// program.
//
// The pages are built, not committed. A program built without them works in every other way; Handler is then nil, and
// `showhow open` says so. The handler only serves files: access is checked by the guard (daemon/api).
package web

import (
	"bytes"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed all:dist
var dist embed.FS

// Handler serves the pages; nil if this build has none.
func Handler() http.Handler {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil
	}
	return handler(files)
}

// handler serves files, and the one page for every address that is not a file: the page itself selects the view.
func handler(files fs.FS) http.Handler {
	index, err := fs.ReadFile(files, "index.html")
	if err != nil {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if path.Ext(name) == "" {
			name, r.URL.Path = "index.html", "/"
		}
		content, err := fs.ReadFile(files, name)
		switch {
		case name == "index.html":
			content = index
		case err != nil || strings.HasPrefix(path.Base(name), "."):
			http.Error(w, "there is no such file", http.StatusNotFound)
			return
		}
		if strings.HasPrefix(name, "assets/") { // their names hold a hash of their content
			w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}
