package find

import (
	"fmt"
	"net/url"

	"showhow/capture"
)

// drift describes in words how the element found differs from the recorded target. Ids, classes and
// nesting concern only the program.
func drift(t capture.Target, c *candidate) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if t.Role != "" && t.Role != AnyField && t.Role != c.Role && (t.Role != "checkbox" || c.Role != "menuitemcheckbox") {
		add("it is a %s now, it was a %s", c.Role, t.Role)
	}
	if was := called(t); was != "" && c.words < same {
		add("it is called %q now, it was called %q", c.called(), was)
	}
	if t.Placeholder != "" && says(t.Placeholder) && t.Placeholder != called(t) && compare(t.Placeholder, c.Placeholder) < same {
		add("its hint is %q now, it was %q", c.Placeholder, t.Placeholder)
	}
	if t.InputType != "" && c.Type != "" && t.InputType != c.Type {
		add("it takes a %s now, it took a %s", c.Type, t.InputType)
	}
	if moved(t, c) {
		add("it is %s now, it was %s", where(c.Near), where(t.Landmark))
	}
	if hrefFit(t.Href, c.Href) < 0 {
		add("it leads to %s now, it led to %s", path(c.Href), path(t.Href))
	}
	if f := optionFit(t.Options, c.Options); f >= 0 && f < 0.4 {
		add("its choices are other ones")
	}
	return out
}

// moved reports whether the candidate is certain but stands in another place than recorded.
func moved(t capture.Target, c *candidate) bool {
	return t.Landmark != nil && c.place == elsewhere || c.place == unheaded || c.place == renamed
}

func movedTo(t capture.Target, c *candidate) *capture.Landmark {
	switch {
	case !moved(t, c):
		return nil
	case c.Near == nil:
		return &capture.Landmark{Role: "none"}
	}
	return &capture.Landmark{Role: c.Near.Role, Name: c.Near.Name}
}

func where(l *capture.Landmark) string {
	switch {
	case l == nil:
		return "in no named place"
	case l.Role == "heading":
		return fmt.Sprintf("under %q", l.Name)
	}
	return "in the " + say(l.Role, l.Name)
}

func path(href string) string {
	u, err := url.Parse(href)
	if err != nil || u.Path == "" {
		return "another place"
	}
	return u.Path
}
