package page

import (
	"path"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// TargetName returns the name that a person would use for a target: its label, name, placeholder or text, else its name
// in the source (WrittenName).
func TargetName(t *capture.Target) string {
	for _, s := range []string{t.Label, t.Name, t.Placeholder, t.Text} {
		if s = plain.Squeeze(s); s != "" {
			return s
		}
	}
	return WrittenName(t)
}

// InPlace reports whether a target is a text that is edited in place: a field in a row, or an element that is not a form
// field. No form is sent for it: the page saves it when it loses focus, at a key, or by itself.
func InPlace(t *capture.Target) bool {
	if t == nil {
		return false
	}
	switch t.Tag {
	case "input", "textarea", "select", "":
		l := t.Landmark
		return l != nil && (l.Role == "row" || l.Role == "listitem" || l.Role == "gridcell")
	}
	return !strings.Contains(t.Tag, "-")
}

// Clean returns a label without masks, counts, stars, colons and "(required)".
func Clean(label string) string {
	s := label
	if strings.Contains(s, "[[") {
		s = StripMasks(s)
	}
	s = plain.Squeeze(s)
	s = undecorated(s)
	if strings.ContainsAny(s, "([%") {
		s = CountForm.ReplaceAllString(s, "")
	}
	return strings.TrimRight(strings.TrimSpace(s), " .…>»→▾▼")
}

var CountForm = lazyre.New(`\s*[\(\[]\d+[\)\]]|\s*\d+%`)

// ItemRoles are the roles of one thing among many.
var ItemRoles = plain.Set("row cell gridcell listitem treeitem option article")

var FieldRoles = plain.Set("textbox field searchbox combobox spinbutton slider listbox")

// Options returns the choices that a page offers, sealed ones left out, or nil when there are too many for a choice.
func Options(t *capture.Target) []string {
	if t == nil || len(t.Options) > maxOptions {
		return nil
	}
	var out []string
	for _, o := range t.Options {
		if o = plain.Squeeze(o); o != "" && !MaskForm.MatchString(o) {
			out = append(out, o)
		}
	}
	return out
}

// maxOptions is the longest list that counts as a choice; a longer one is data, perhaps of other people.
const maxOptions = 20

// IsClick reports whether a verb is a click or a double click.
func IsClick(v capture.Verb) bool { return v == capture.Click || v == capture.DoubleClick }

// ExtOf returns a file's extension in lower case, with its dot.
func ExtOf(f *capture.File) string {
	if f.Ext != "" {
		return strings.ToLower(f.Ext)
	}
	return strings.ToLower(path.Ext(f.Name))
}

// QuoteOr returns a label in quotation marks, or other when the label is empty.
func QuoteOr(label, other string) string {
	if label == "" {
		return other
	}
	return `"` + label + `"`
}

const (
	Yes = "yes"
	No  = "no"
)

// PassiveRoles are the roles of elements that nobody operates.
var PassiveRoles = plain.Set("generic paragraph heading main document none presentation region banner contentinfo article group form label")
