package danger

import (
	"strings"

	"showhow/internal/lang"
	"showhow/internal/plain"
)

// quiet are roles that hold or show something; filling them in or choosing in them sends nothing by itself.
var quiet = plain.Set("textbox searchbox combobox listbox option spinbutton slider tab columnheader rowheader treeitem row cell gridcell " +
	"heading tooltip img scrollbar progressbar document article")

// Control judges the use of a control by its role, its words and the method of its form ("" when it has none: get,
// post, dialog). Words of about twenty languages are known.
func Control(role, name, formMethod string) Finding {
	role, formMethod = strings.ToLower(role), strings.ToLower(formMethod)
	if quiet[role] {
		return finding(Reads, "it is filled in or chosen")
	}
	f, spoke := phrase(name)
	switch {
	case (role == "checkbox" || role == "radio" || role == "switch" || role == "menuitemcheckbox" || role == "menuitemradio") && !f.Grave():
		if formMethod != "" && role != "switch" {
			return finding(Reads, "it is filled in or chosen")
		}
		return finding(Unknown, "what switching it does is not known")
	case spoke && f.Class == Reads && formMethod == "post":
		return finding(Writes, "it sends a form")
	case spoke:
		return f
	case formMethod == "get", formMethod == "dialog":
		return finding(Reads, "its form only asks")
	case formMethod == "post":
		return finding(Writes, "it sends a form")
	case role == "link":
		return finding(Reads, "a link opens a page")
	}
	return finding(Unknown, "what it does is not known")
}

// phrase judges a control's words; false when none is known. The gravest phrase counts, except that a longer phrase
// wins over a shorter one at its place ("clear filters" is no "clear"), and that a word which reverses an action
// ("Don't delete", "Undo delete") makes it harmless.
func phrase(name string) (Finding, bool) {
	hits := heard(name)
	if len(hits) == 0 {
		return Finding{}, false
	}
	var out Finding
	for _, h := range hits {
		out = out.and(finding(h.class, why(h)))
	}
	return out, true
}

func why(h said) string {
	switch {
	case h.leaves:
		return "its words end the session"
	case h.class == Destroys:
		return "its words delete or end something"
	case h.class == Sends:
		return "its words send something or commit to it"
	case h.class == Writes:
		return "its words change something"
	}
	return "its words only show something"
}

// heard finds the known phrases. A long text is a sentence or a title, not a button's label: only its beginning can be
// a command.
func heard(name string) (hits []said) {
	for _, h := range heardIn(name) {
		hits = append(hits, h.said)
	}
	return hits
}

// heardAs is a known phrase as it appears in the text.
type heardAs struct {
	said
	phrase string
}

func heardIn(name string) (hits []heardAs) {
	ws := lang.Words(name)
	starting := map[int][]entry{}
	var inside []entry // of languages without blanks
	for _, h := range promises.All(name) {
		if e := entryOf(h); h.Lang.Blanks || h.At < len(ws) && h.Len <= len(ws) && isASCII(h.Phrase) {
			starting[h.At] = append(starting[h.At], e)
		} else {
			inside = append(inside, e)
		}
	}
	for at := 0; at < len(ws); {
		e, ok := longest(starting[at])
		if !ok {
			at++
			continue
		}
		if e.never && later(starting, at+e.Len, len(ws), e.Lang) {
			return []heardAs{{said: said{class: Writes}}}
		}
		if !e.never && counts(e, ws, at, e.Len) {
			hits = append(hits, heardAs{said{e.class, e.leaves}, e.Phrase})
		}
		at += e.Len
	}
	for _, e := range inside {
		if e.never {
			return []heardAs{{said: said{class: Writes}}}
		}
		hits = append(hits, heardAs{said{e.class, e.leaves}, e.Phrase})
	}
	return hits
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }

// later reports whether a grave verb of the same language follows.
func later(starting map[int][]entry, from, to int, of *lang.Language) bool {
	for at := from; at < to; at++ {
		if e, ok := longest(starting[at]); ok && e.Lang == of && e.class >= Sends {
			return true
		}
	}
	return false
}

// longest is the longest phrase at one position; among equals the gravest, because a word may mean more in another
// language.
func longest(entries []entry) (best entry, ok bool) {
	for _, e := range entries {
		if !ok || e.Len > best.Len || e.Len == best.Len && e.class > best.class {
			best, ok = e, true
		}
	}
	return best, ok
}

// English words that are as often a noun as a verb: commands only as the first word, and not before another such noun.
var (
	alsoNouns = lang.English("orders.alsothings")
	thingsOf  = lang.English("orders.things")
)

var (
	leadsIn = lang.English("orders.leading")
	tells   = lang.English("orders.telling")
)

// counts distinguishes a command from a mention: "Delete order" commands, "Recently deleted items" and "How to delete
// a file" do not.
func counts(e entry, ws []string, at, n int) bool {
	if e.Lang.VerbEnd {
		return len(ws) <= 8 || at == 0 || at+n == len(ws)
	}
	if n > 1 {
		return len(ws) <= 8 || at == 0
	}
	lead := at
	for lead > 0 && leadsIn.Has(ws[lead-1]) {
		lead--
	}
	if at+n < len(ws) && thingsOf.Has(ws[at+n]) && alsoNouns.Has(ws[at]) {
		return false
	}
	if lead > 0 {
		return !alsoNouns.Has(ws[at]) && len(ws) <= 5 && e.class >= Sends && !tells.Has(ws[at-1])
	}
	return true
}
