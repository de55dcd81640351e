package browser

import (
	_ "embed"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// A new persistent profile opens with a page that explains it, once, in the first window a person
// sees. The page is written when the profile is created; a second file beside it records that it
// was shown.
const (
	welcomePage = "showhow-welcome.html"
	welcomeSeen = "showhow-welcome.seen"
)

//go:embed welcome.html
var welcomeHTML []byte

// welcome is the address of the start page; "" if there is nothing to explain, or nobody to see it.
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
