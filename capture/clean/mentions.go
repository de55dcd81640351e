package clean

import (
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/capture/lexical"
)

// The texts of a picked item (a row, a card, an entry of a list) are not kept. They stay in memory while the next actions are
// looked at: if a page then shows one of them in a heading, a dialog or a message, or as the name of a control or a place, it
// is the item's text and not the page's own. That text, which is kept there anyhow, and its path in the item are kept.

// maxItems is how many of the items picked last are remembered.
const maxItems = 4

type pickedItem struct {
	event  string // of the action that picked it
	texts  []capture.ItemText
	before []string // what the page showed before
}

// mentions lists the texts of picked items that an observation shows.
func (j *job) mentions(o capture.Observation, id string) []capture.Mention {
	var out []capture.Mention
	find := func(it pickedItem, shown []string) {
		for _, text := range shown {
			for _, own := range it.texts {
				same := func(m capture.Mention) bool { return m.EventID == it.event && m.Path == own.Path }
				contains := func(before string) bool { return mentions(before, own.Text) }
				if !mentions(text, own.Text) || slices.ContainsFunc(out, same) || slices.ContainsFunc(it.before, contains) {
					continue
				}
				out = append(out, capture.Mention{EventID: it.event, Path: j.plain(own.Path, maxText), Text: j.text(own.Text, maxText)})
			}
		}
	}
	for _, it := range j.items {
		find(it, append(shownIn(o.Before), namesOf(o.Target)...))
	}
	if o.Target != nil && len(o.Target.ItemTexts) > 0 {
		j.items = append(j.items, pickedItem{event: id, texts: o.Target.ItemTexts, before: shownIn(o.Before)})
		j.items = j.items[max(0, len(j.items)-maxItems):]
	}
	for _, it := range j.items {
		find(it, shownIn(o.After))
		if o.Dialog != nil {
			find(it, []string{o.Dialog.Message})
		}
	}
	return out
}

func shownIn(s *capture.State) []string {
	if s == nil {
		return nil
	}
	return slices.Concat(s.Headings, s.Dialogs, s.Alerts)
}

// namesOf lists the names of a control and of the place that it stands in; none for a control of an item, whose names are
// that item's.
func namesOf(t *capture.Target) []string {
	if t == nil || len(t.ItemTexts) > 0 {
		return nil
	}
	out := []string{t.Name, t.Label, t.Placeholder, t.Text}
	if t.Landmark != nil && !capture.IsRow(t.Landmark.Role) {
		out = append(out, t.Landmark.Name)
	}
	return out
}

// mentions reports whether a text is an item's text or contains it. A single word is contained by chance, unless it is
// capitalised within the text, as names are.
func mentions(text, own string) bool {
	text, own = strings.Join(strings.Fields(lexical.Normal(text)), " "), lexical.Normal(own)
	if text == "" || own == "" {
		return false
	}
	if strings.EqualFold(text, own) {
		return strings.ContainsFunc(own, unicode.IsLetter) || len(own) > 3
	}
	i := strings.Index(lexical.Fold(text), lexical.Fold(own))
	if len(own) < 4 || i < 0 || !lexical.WholeWord(text, i, i+len(own)) {
		return false
	}
	if strings.ContainsAny(own, " 0123456789") {
		return true
	}
	first := []rune(own)[0]
	return i > 0 && unicode.IsUpper(first) && strings.Contains(text, own)
}
