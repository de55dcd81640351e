package page

import (
	"path"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// TargetName is what a person would call a target: its label, its name, its placeholder, its text, else what programmers call it.
func TargetName(t *capture.Target) string {
	for _, s := range []string{t.Label, t.Name, t.Placeholder, t.Text} {
		if s = plain.Squeeze(s); s != "" {
			return s
		}
	}
	return WrittenName(t)
}

// InPlace reports whether a target is a text that is edited where it stands: one of a row, or one that is no field of a form. No
// form is sent for it: a page keeps it when it is left, when a key says so, or by itself.
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

// Clean is a label without masks, stars, colons and "(required)".
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

// ItemRoles are roles of one thing among many.
var ItemRoles = plain.Set("row cell gridcell listitem treeitem option article")

var FieldRoles = plain.Set("textbox field searchbox combobox spinbutton slider listbox")

// Options are the choices that a page offers; none where there are too many for a choice, or where they are sealed.
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

// maxOptions: a longer list is data rather than a choice, and other people's at that.
const maxOptions = 20

// IsClick reports whether a verb is a click or a double click.
func IsClick(v capture.Verb) bool { return v == capture.Click || v == capture.DoubleClick }

// ExtOf is a file's ending in lower case, with its dot.
func ExtOf(f *capture.File) string {
	if f.Ext != "" {
		return strings.ToLower(f.Ext)
	}
	return strings.ToLower(path.Ext(f.Name))
}

// QuoteOr is a label in quotation marks, or other words where there is none.
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

// OnNothing are roles of what nobody operates.
var OnNothing = plain.Set("generic paragraph heading main document none presentation region banner contentinfo article group form label")
