package browser

import (
	_ "embed"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// A new profile that stays begins with a page that explains it, in the first window that a person sees of it and never again.
// The page is written into the profile when that is made; a second file beside it says that it was shown.
const (
	welcomePage = "showhow-welcome.html"
	welcomeSeen = "showhow-welcome.seen"
)

//go:embed welcome.html
var welcomeHTML []byte

// welcome is the address of the page to start with; "" when there is nothing to explain, or nobody who could see it.
func (b *Browser) welcome(o Options) string {
	if o.Profile == "" || b.hidden {
		return ""
	}
	page, seen := filepath.Join(b.profile, welcomePage), filepath.Join(b.profile, welcomeSeen)
	if _, err := os.Stat(page); err != nil {
		return "" // a profile that was there before, and is not empty
	}
	if _, err := os.Stat(seen); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if os.WriteFile(seen, nil, 0o600) != nil {
		return ""
	}
	abs, err := filepath.Abs(page)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()
}
