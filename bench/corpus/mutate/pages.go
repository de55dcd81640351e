package mutate

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
)

//go:embed pages/*.html
var pageFiles embed.FS

// Page is a stored page and the elements that a person operates on it.
type Page struct {
	Name    string
	HTML    string
	Targets []Target
	Held    bool // the finder was not adjusted to it
}

// Target is one located step.
type Target struct {
	Verb     capture.Verb
	Selector string // of the page as it was
}

var targetsLine = lazyre.New(`^<!-- targets: (.*) -->\n`)

// Pages returns the stored pages, sorted by name. The second half is held out.
func Pages() ([]Page, error) {
	entries, err := pageFiles.ReadDir("pages")
	if err != nil {
		return nil, err
	}
	var out []Page
	for _, e := range entries {
		text, err := pageFiles.ReadFile("pages/" + e.Name())
		if err != nil {
			return nil, err
		}
		p, err := ParsePage(strings.TrimSuffix(e.Name(), ".html"), string(text))
		if err != nil {
			return nil, err
		}
		n, _ := strconv.Atoi(p.Name[:2])
		p.Held = n > len(entries)/2
		out = append(out, p)
	}
	return out, nil
}

// ParsePage parses a page whose first line names its targets: <!-- targets: click #save; type #name -->.
func ParsePage(name, text string) (Page, error) {
	m := targetsLine.FindStringSubmatch(text)
	if m == nil {
		return Page{}, fmt.Errorf("page %s names no targets", name)
	}
	p := Page{Name: name, HTML: strings.TrimPrefix(text, m[0])}
	for t := range strings.SplitSeq(m[1], ";") {
		verb, selector, ok := strings.Cut(strings.TrimSpace(t), " ")
		if !ok {
			return Page{}, fmt.Errorf("page %s: target %q has no selector", name, t)
		}
		p.Targets = append(p.Targets, Target{capture.Verb(verb), selector})
	}
	return p, nil
}
